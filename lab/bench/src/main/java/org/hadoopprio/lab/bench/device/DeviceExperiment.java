// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;

/** The drive without Hadoop: fio on a virtual hard disk, beside published measurements. */
public final class DeviceExperiment implements Experiment {

  static final String FOREGROUND = "foreground";
  static final String BACKGROUND = "background";

  /** The one job of a cell without foreground and background. */
  static final String ALL = "all";

  /** Requests per second of the open-loop foreground: a fifth of what the drive can do. */
  static final int OPEN_RATE = 15;

  /** Samples of the foreground for a p99.99 with ten beyond it. */
  static final long SIM_SAMPLES = 100_000;

  /** What is read was never written, so it takes no memory. */
  private static final long DISK_BYTES = 16L << 30;

  private static final String[] REALTIME = {"--prioclass=1", "--prio=0"};
  private static final String[] NO_PRIORITY = {};

  private final DevicePlan plan;
  private final Vhdd vhdd;

  /** The drive of 22 TB, for some of the {@link LimitedReads}. */
  private final Vhdd vhdd22;

  private Path node;
  private Path node22;

  /**
   * The experiment.
   *
   * @param directory of the results; the virtual disks' names are made of it
   * @param quick whether it must be done in 5 minutes
   */
  public DeviceExperiment(Path directory, boolean quick, int repetitions) {
    this.plan = new DevicePlan(quick, repetitions);
    this.vhdd = Vhdd.of(directory);
    this.vhdd22 = Vhdd.of(directory.resolve(LimitedReads.TB22));
  }

  @Override
  public String name() {
    return "device";
  }

  @Override
  public String title() {
    return "A drive with priorities, alone: the virtual hard disk beside published drives";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(plan.settings());
    settings.put("presets", VirtualDisk.PRESET + ", " + LimitedReads.TB22);
    settings.put("read size", Fio.READ_KIB + " KiB");
    settings.put("open-loop rate", OPEN_RATE + "/s, Poisson");
    settings.put("samples in virtual time", Long.toString(SIM_SAMPLES));
    return settings;
  }

  @Override
  public List<Cell> plan() {
    return plan.cells();
  }

  @Override
  public void prepare(StepLog log) throws IOException {
    Optional<String> missing = Vhdd.unavailable();
    if (missing.isPresent()) {
      throw new IOException("no virtual disk on this machine: " + missing.get());
    }
    log.say(SystemCommand.run("fio", "--version"));
    node = create(vhdd, VirtualDisk.PRESET);
    node22 = create(vhdd22, LimitedReads.TB22);
    log.say("virtual disks " + node + ", " + node22);
  }

  private static Path create(Vhdd vhdd, String preset) throws IOException {
    // A run that was killed may have left it.
    vhdd.destroy();
    return vhdd.create(DISK_BYTES, preset, ReadAhead.byDefault(), Map.of());
  }

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    return switch (cell.factor(DevicePlan.LOAD)) {
      case DevicePlan.SIM -> simulate(cell);
      case DevicePlan.CALIBRATION -> calibrate();
      case DevicePlan.LIMITS ->
          measureLimited(cell, LimitedReads.of(cell.factor(DevicePlan.READS)));
      default -> measure(cell);
    };
  }

  // --- in virtual time ----------------------------------------------------------------------

  private static ObjectNode simulate(Cell cell) throws IOException {
    String priority = cell.factor(DevicePlan.PRIORITY);
    List<String> options =
        List.of(
            "--preset=" + VirtualDisk.PRESET,
            "--mode=" + mode(priority),
            "--host=" + cell.factor(DevicePlan.SCHEDULER),
            "--background=" + DevicePlan.FULL_DEPTH,
            "--foreground=1",
            "--foreground-prio=" + (priority.equals(DevicePlan.STOCK) ? "none" : "rt:0"),
            "--request-size=" + Fio.READ_KIB * 1024,
            "--samples=" + SIM_SAMPLES,
            "--seed=" + cell.repetition());
    JsonNode result = Vhdd.sim(options);
    ObjectNode measured = measured(List.of("vhdd sim --json " + String.join(" ", options)));
    measured.set("jobs", result.path("classes"));
    return measured;
  }

  private ObjectNode calibrate() throws IOException {
    List<String> options = List.of("--samples=" + plan.samplesOfCalibration());
    JsonNode result = Vhdd.calibrate(options);
    ObjectNode measured = measured(List.of("vhdd calibrate --json " + options.get(0)));
    measured.set("rows", result.path("rows"));
    return measured;
  }

  private static String mode(String priority) {
    return priority.equals(DevicePlan.DRIVE) ? "prio" : "ncq";
  }

  private static ObjectNode measured(List<String> commands) {
    ObjectNode measured = new ObjectMapper().createObjectNode();
    ArrayNode lines = measured.putArray("commands");
    commands.forEach(lines::add);
    return measured;
  }

  // --- on the device ------------------------------------------------------------------------

  private ObjectNode measure(Cell cell) throws IOException {
    Map<String, String> factors = cell.factors();
    String priority = factors.getOrDefault(DevicePlan.PRIORITY, DevicePlan.STOCK);
    // The published drives are compared without the host's scheduler.
    String scheduler = factors.getOrDefault(DevicePlan.SCHEDULER, DevicePlan.NONE);
    Map<String, String> model = Map.of("mode", mode(priority));
    Fio fio = new Fio(node, plan.seconds(factors), seed(cell));
    addJobs(fio, cell, priority);

    vhdd.queue().scheduler(scheduler);
    vhdd.set(model);
    DriveWindow window = new DriveWindow(vhdd);
    ObjectNode jobs = fio.run(window);
    window.correctBackground(jobs, priority);

    ObjectNode measured = measured(commands(vhdd, scheduler, model, fio.command()));
    measured.set("jobs", jobs);
    measured.set("gate", gate(window.stats));
    return measured;
  }

  /** What the drive counts while all jobs run. */
  private static final class DriveWindow implements TimedLoad.Window {
    private final Vhdd vhdd;
    private JsonNode stats;

    DriveWindow(Vhdd vhdd) {
      this.vhdd = vhdd;
    }

    @Override
    public void begin() throws IOException {
      vhdd.resetStats();
    }

    @Override
    public void end() throws IOException {
      stats = vhdd.stats();
    }

    /**
     * Takes the background's throughput from the drive if its class differs from the foreground's.
     * fio starts the clock of a starved background only when the foreground has ended.
     */
    private void correctBackground(ObjectNode jobs, String priority) {
      if (!jobs.has(BACKGROUND) || priority.equals(DevicePlan.STOCK)) {
        return;
      }
      double iops = 0;
      for (JsonNode counted : stats.path("classes")) {
        if (!counted.path("class").asText().equals("rt")) {
          iops += counted.path("iops").asDouble();
        }
      }
      ((ObjectNode) jobs.path(BACKGROUND)).put("iops", iops);
    }
  }

  private static long seed(Cell cell) {
    return Integer.toUnsignedLong(cell.id().hashCode());
  }

  /** fio 3.33 states no hint, so the virtual disk's own program reads. */
  private ObjectNode measureLimited(Cell cell, LimitedReads reads) throws IOException {
    boolean is22 = reads.preset().equals(LimitedReads.TB22);
    Vhdd drive = is22 ? vhdd22 : vhdd;
    int seconds = plan.seconds(cell.factors());
    List<String> command = new ArrayList<>();
    command.addAll(List.of("vhdd", "reads", (is22 ? node22 : node).toString()));
    command.addAll(reads.options());
    command.add("--request-size=" + Fio.READ_KIB * 1024);
    command.add("--ramp=" + TimedLoad.RAMP_SECONDS);
    command.add("--seconds=" + seconds);
    command.add("--seed=" + seed(cell));
    command.add("--json");

    drive.queue().scheduler(DevicePlan.NONE);
    drive.set(reads.model());
    DriveWindow window = new DriveWindow(drive);
    ObjectNode measured =
        measured(commands(drive, DevicePlan.NONE, reads.model(), String.join(" ", command)));
    command.set(0, Vhdd.program().toString());
    JsonNode all = new ObjectMapper().readTree(TimedLoad.run(command, seconds, window));
    measured.putObject("jobs").set(ALL, all);
    measured.set("duration_limits", window.stats.path("duration_limits"));
    measured.set("gate", gate(window.stats));
    return measured;
  }

  private static void addJobs(Fio fio, Cell cell, String priority) {
    String[] foreground = priority.equals(DevicePlan.STOCK) ? NO_PRIORITY : REALTIME;
    switch (cell.factor(DevicePlan.LOAD)) {
      case DevicePlan.ALONE -> fio.job(ALL, DevicePlan.number(cell.factor(DevicePlan.DEPTH)));
      case DevicePlan.SHARE ->
          fio.job(
              ALL,
              DevicePlan.FULL_DEPTH,
              "--cmdprio_percentage=" + DevicePlan.number(cell.factor(DevicePlan.HIGH_PERCENT)),
              "--cmdprio_class=1",
              "--cmdprio=0");
      case DevicePlan.TAIL -> {
        fio.job(BACKGROUND, DevicePlan.FULL_DEPTH);
        fio.job(FOREGROUND, 1, foreground);
      }
      default -> {
        if (!priority.equals(DevicePlan.BOUND)) {
          fio.job(BACKGROUND, DevicePlan.FULL_DEPTH);
        }
        List<String> options = new ArrayList<>(List.of(foreground));
        options.add("--rate_iops=" + OPEN_RATE);
        options.add("--rate_process=poisson");
        // Deep enough that a slow request does not delay later ones.
        fio.job(FOREGROUND, DevicePlan.FULL_DEPTH, options.toArray(new String[0]));
      }
    }
  }

  private static List<String> commands(
      Vhdd vhdd, String scheduler, Map<String, String> model, String load) {
    StringBuilder set = new StringBuilder("vhdd set ").append(vhdd.name());
    model.forEach((key, value) -> set.append(' ').append(key).append('=').append(value));
    return List.of(
        "echo " + scheduler + " > /sys/block/DISK/queue/scheduler", set.toString(), load);
  }

  private static ObjectNode gate(JsonNode stats) {
    ObjectNode gate = new ObjectMapper().createObjectNode();
    for (String part :
        List.of(
            "valid",
            "reasons",
            "queue_max",
            "priorities",
            "late_arrival_ms",
            "lateness_ms",
            "not_timed",
            "failed")) {
      gate.set(part, stats.path(part));
    }
    return gate;
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    return new DeviceFindings(results).findings();
  }

  @Override
  public void close() throws IOException {
    if (Vhdd.unavailable().isEmpty()) {
      vhdd.destroy();
      vhdd22.destroy();
    }
  }
}
