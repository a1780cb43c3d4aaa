// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.disk.Drive;
import org.hadoopprio.lab.disk.Vhdd;

/**
 * How far the headline ratios move when a parameter of the drive is at an end of its plausible
 * range, one parameter at a time: the DataNode's scheduler above {@code vhdd}'s model, in virtual
 * time. It needs neither root nor a quiet machine.
 */
public final class SensitivityExperiment implements Experiment {

  /** Its name. */
  public static final String NAME = "device-sensitivity";

  static final String PARAMETER = "parameter";
  static final String END = "end";
  static final String LOW = "low";
  static final String HIGH = "high";

  /** The factors of the drive as its preset has it. */
  static final Map<String, String> PRESET = factors("preset", "as-it-is");

  /** The size of the preset, whose whole stroke it spans. */
  private static final long DISK_BYTES = 64L << 30;

  /** Answers of each workload of {@code vhdd calibrate}. */
  private static final int CALIBRATION_SAMPLES = 20_000;

  private static final double EXPECTED_PART_OF_REAL_TIME = 0.02;

  private final Drive drive;
  private final List<Variation> variations;
  private final int seconds;
  private final int repetitions;

  private SensitivityExperiment(
      Drive drive, List<Variation> variations, int seconds, int repetitions) {
    this.drive = drive;
    this.variations = variations;
    this.seconds = seconds;
    this.repetitions = repetitions;
  }

  /**
   * The experiment.
   *
   * @param drive whose parameters are varied
   * @param quick whether few seconds are simulated
   * @param ranges those of a user, as {@code KEY=LOW..HIGH}: only these parameters are varied;
   *     empty for all that {@code vhdd} has a plausible range for
   * @throws IllegalArgumentException if a range is none, or an end is no value of its parameter,
   *     saying what is allowed
   */
  public static SensitivityExperiment of(
      Drive drive, boolean quick, int repetitions, List<String> ranges) throws IOException {
    JsonNode keys = Vhdd.sim(List.of("--preset=" + drive.preset(), "--keys"));
    List<Variation> variations = new ArrayList<>();
    for (String range : ranges) {
      variations.add(Variation.parse(range, keys));
    }
    if (ranges.isEmpty()) {
      variations.addAll(Variation.of(keys));
    }
    for (Variation variation : variations) {
      requireAllowed(drive, variation.assignments(variation.low()));
      requireAllowed(drive, variation.assignments(variation.high()));
    }
    if (ranges.isEmpty()) {
      variations.addAll(StockStreams.VARIATIONS);
    }
    return new SensitivityExperiment(drive, variations, quick ? 120 : 600, repetitions);
  }

  /** The program itself knows what is allowed. */
  private static void requireAllowed(Drive drive, List<String> assignments) {
    List<String> options = new ArrayList<>(List.of("--preset=" + drive.preset(), "--keys"));
    assignments.forEach(assignment -> options.add("--set=" + assignment));
    try {
      Vhdd.sim(options);
    } catch (IOException e) {
      throw new IllegalArgumentException(String.join(" ", assignments) + ": " + e.getMessage(), e);
    }
  }

  static Map<String, String> factors(String parameter, String end) {
    Map<String, String> factors = new LinkedHashMap<>();
    factors.put(PARAMETER, parameter);
    factors.put(END, end);
    return factors;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "How far the headlines depend on the drive: each parameter of the model varied";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("preset", drive.preset());
    settings.put("seconds in virtual time", Integer.toString(seconds));
    settings.put("Gets/s, Poisson", Double.toString(Simulated.GETS_PER_SECOND));
    settings.put("streams", Integer.toString(Simulated.STREAMS));
    settings.put(
        "ranges", variations.stream().map(Variation::toString).collect(Collectors.joining(" ")));
    return settings;
  }

  @Override
  public List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    double expected = 2 * seconds * EXPECTED_PART_OF_REAL_TIME;
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      cells.add(new Cell(PRESET, repetition, expected));
      for (Variation variation : variations) {
        cells.add(new Cell(factors(variation.key(), LOW), repetition, expected));
        cells.add(new Cell(factors(variation.key(), HIGH), repetition, expected));
      }
    }
    return cells;
  }

  @Override
  public void prepare(StepLog log) {}

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    List<String> changes = new ArrayList<>(List.of("--preset=" + drive.preset()));
    StockStreams streams = StockStreams.USUAL;
    for (Variation variation : variations) {
      if (variation.key().equals(cell.factor(PARAMETER))) {
        String value = cell.factor(END).equals(LOW) ? variation.low() : variation.high();
        if (variation.ofDrive()) {
          variation.assignments(value).forEach(change -> changes.add("--set=" + change));
        } else {
          streams = streams.with(variation.key(), value);
        }
      }
    }
    ObjectNode measured = new ObjectMapper().createObjectNode();
    ArrayNode commands = measured.putArray("commands");
    List<String> simulated = new ArrayList<>(changes);
    simulated.add("--set=size_bytes=" + DISK_BYTES);
    simulated.add("--host=mq-deadline");
    simulated.add("--requests");
    commands.add("vhdd sim " + String.join(" ", simulated));
    for (Simulated.Compared system : Simulated.Compared.values()) {
      measured.set(system.id(), simulate(system, simulated, streams, cell.repetition()));
    }
    // It is the same in all repetitions.
    if (cell.repetition() == 1) {
      measured.set("calibration", calibration(changes));
    }
    return measured;
  }

  private ObjectNode simulate(
      Simulated.Compared system, List<String> simulated, StockStreams streams, long seed)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(Vhdd.program().toString(), "sim"));
    command.addAll(simulated);
    try (VhddDisk disk = new VhddDisk(command, DISK_BYTES)) {
      return Simulated.run(system, disk, streams, seconds, seed);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Whether a drive with these parameters is still as those that were published. */
  private static ObjectNode calibration(List<String> changes) throws IOException {
    List<String> options = new ArrayList<>(changes);
    options.add("--samples=" + CALIBRATION_SAMPLES);
    options.add("--no-gate");
    int gates = 0;
    int held = 0;
    for (JsonNode row : Vhdd.calibrate(options).path("rows")) {
      gates += row.path("gated").asBoolean() ? 1 : 0;
      held += row.path("gated").asBoolean() && row.path("reproduced").asBoolean() ? 1 : 0;
    }
    return new ObjectMapper().createObjectNode().put("gates", gates).put("held", held);
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    return new SensitivityFindings(variations, results).findings();
  }

  @Override
  public void close() {}
}
