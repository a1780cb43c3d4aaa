// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.StepLog;

/**
 * What four submission queues for each core do, by a simulation of the drive's arbitration in
 * virtual time, and what the DataNode itself can do on an SSD. It needs neither root nor a quiet
 * machine.
 */
public final class NvmeExperiment implements Experiment {

  /** Its name. */
  public static final String NAME = "device-nvme";

  static final String LOAD = "load";
  static final String QUEUES = "queues";
  static final String INSIDE = "inside";

  /** Reads in a second: the sum of what was published. */
  static final double RATE = 428_800;

  /** How many commands are inside the drive unless that is varied. */
  static final int USUAL_INSIDE = 128;

  /** Numbers of commands inside, beside a Get. */
  static final List<Integer> INSIDE_BESIDE_GETS = List.of(32, 128, 512);

  /** The last one is all that the three applications have under way. */
  static final List<Integer> INSIDE_OF_SHARES =
      List.of(32, USUAL_INSIDE, 512, 640, 704, Load.PUBLISHED.depth());

  private static final double WARM_UP_SECONDS = 0.05;

  /** A Get's p99 needs more of them than a quick run's time has. */
  private static final int VOLUME_SECONDS = 4;

  private static final double EXPECTED_SECONDS = 0.3;

  private final double seconds;
  private final int repetitions;

  /**
   * The experiment.
   *
   * @param quick whether a fifth of the time is simulated
   */
  public NvmeExperiment(boolean quick, int repetitions) {
    this.seconds = quick ? 0.2 : 1;
    this.repetitions = repetitions;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "NVMe: the I/O classes as submission queues with weights, in virtual time";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("seconds in virtual time", Double.toString(seconds));
    settings.put("reads in a second", Double.toString(RATE));
    settings.put("arbitration burst", Integer.toString(Queues.BURST));
    settings.put("cores", Integer.toString(Load.CORES));
    settings.put("seconds of the DataNode's volume", Integer.toString(VOLUME_SECONDS));
    return settings;
  }

  static Map<String, String> factors(Load load, Queues queues, int inside) {
    Map<String, String> factors = new LinkedHashMap<>();
    factors.put(LOAD, load.id());
    factors.put(QUEUES, queues.id());
    factors.put(INSIDE, Integer.toString(inside));
    return factors;
  }

  @Override
  public List<Cell> plan() {
    List<Map<String, String>> combinations = new ArrayList<>();
    combinations.add(factors(Load.PUBLISHED, Queues.ROUND_ROBIN, USUAL_INSIDE));
    for (int inside : INSIDE_OF_SHARES) {
      combinations.add(factors(Load.PUBLISHED, Queues.WEIGHTS_3_2_1, inside));
    }
    combinations.add(factors(Load.ALONE, Queues.ONE, USUAL_INSIDE));
    for (Queues queues :
        List.of(Queues.ROUND_ROBIN, Queues.WEIGHTS_16_8_1, Queues.WEIGHTS_128_64_1)) {
      combinations.add(factors(Load.BESIDE, queues, USUAL_INSIDE));
    }
    for (int inside : INSIDE_BESIDE_GETS) {
      for (GetSystem system : GetSystem.values()) {
        combinations.add(factors(system.load, system.queues, inside));
      }
    }
    combinations.addAll(SsdVolume.combinations());
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (Map<String, String> combination : combinations) {
        cells.add(new Cell(combination, repetition, EXPECTED_SECONDS * seconds));
      }
    }
    return cells;
  }

  @Override
  public void prepare(StepLog log) {}

  @Override
  public ObjectNode run(Cell cell, StepLog log) {
    return SsdVolume.has(cell) ? SsdVolume.run(cell, VOLUME_SECONDS) : queues(cell);
  }

  private ObjectNode queues(Cell cell) {
    Queues.OfCores queues = Queues.of(cell.factor(QUEUES)).set(Load.CORES);
    int inside = Integer.parseInt(cell.factor(INSIDE));
    NvmeDrive drive = new NvmeDrive(queues.arbiter(), inside, RATE, cell.repetition());
    ObjectNode measured = new ObjectMapper().createObjectNode();
    drive
        .run(Load.of(cell.factor(LOAD)).jobs(queues), WARM_UP_SECONDS, seconds)
        .forEach(
            (name, answers) ->
                measured
                    .putObject(name)
                    .put("iops", answers.count() / seconds)
                    .put("p50_us", answers.micros(50))
                    .put("p99_us", answers.micros(99)));
    return measured;
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    Findings findings = new NvmeFindings(results).findings();
    SsdVolume.addTo(findings, results);
    return findings;
  }

  @Override
  public void close() {}
}
