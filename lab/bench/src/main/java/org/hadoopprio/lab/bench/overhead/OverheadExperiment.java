package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Orders;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Privileges;

/**
 * Stock Hadoop and hadoop-prio side by side on an idle machine: with and without priorities, with
 * each of the DataNode's engines, with the DataNode's scheduler of disk time off and on, and the
 * start of a MapReduce task.
 *
 * <p>A repetition is a round: all processes are started anew, with the variants in another order.
 * In a cell the variants take turns in short blocks, forward and backward, so that a change on the
 * machine affects all of them alike.
 */
public final class OverheadExperiment implements Experiment {

  static final String FACTOR = "operation";
  static final String STARTUP = "startup";
  static final String TASK_START = "task-start";

  /** Blocks of the variant with hints in which it states none: the same processes, no hint. */
  static final String UNSTATED = "hints-unstated";

  private static final double HDFS_SHARE_OF_START_S = 6;
  private static final double HBASE_START_S = 60;
  private static final double WARM_UP_S = 12;
  private static final double RESTART_S = 6;
  private static final double TASK_START_S = 4;
  private static final double ENGINES_SHARE_OF_START_S = 12;
  private static final double ENGINES_BLOCK_S = 1.5;
  private static final double SCHEDULER_SHARE_OF_START_S = 14;
  private static final double SCHEDULER_SWITCH_S = 0.6;
  private static final double HELD_READS_S = 6;

  private final OverheadSettings settings;
  private final Path directory;
  private volatile Bed running;
  private String runningKey = "";

  /**
   * Plans the experiment.
   *
   * @param directory for the clusters, one after the other
   */
  public OverheadExperiment(OverheadSettings settings, Path directory) {
    this.settings = settings;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "overhead";
  }

  @Override
  public String title() {
    return "What hadoop-prio costs on an idle machine: hints, engines, scheduler of disk time, tasks";
  }

  @Override
  public Map<String, String> settings() {
    return settings.toMap();
  }

  @Override
  public List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int round = 1; round <= settings.hdfsRounds(); round++) {
      for (ClientOperation operation : ClientOperation.values()) {
        if (operation.role() == Role.DATANODE || round <= settings.hbaseRounds()) {
          cells.add(cell(operation.label(), round, expectedSeconds(operation)));
        }
      }
      if (round <= settings.startUpRounds()) {
        cells.add(cell(STARTUP, round, RESTART_S * Variant.FOR_HINTS.size()));
      }
    }
    for (int round = 1; round <= settings.engineRounds(); round++) {
      for (ReadKind kind : ReadKind.values()) {
        int blocks = (settings.engineBlocks() + 1) * Variant.FOR_ENGINES.size();
        double seconds = ENGINES_SHARE_OF_START_S + ENGINES_BLOCK_S * blocks;
        cells.add(cell(kind.label(), round, seconds));
      }
    }
    for (int round = 1; round <= settings.scheduler().rounds(); round++) {
      for (SchedulerLoad load : SchedulerLoad.values()) {
        if (round <= settings.scheduler().rounds(load)) {
          cells.add(cell(load.label(), round, expectedSeconds(load)));
        }
      }
    }
    for (int round = 1; round <= settings.taskRounds(); round++) {
      cells.add(cell(TASK_START, round, TASK_START_S * Variant.FOR_TASKS.size()));
    }
    return cells;
  }

  private static Cell cell(String operation, int round, double expectedSeconds) {
    return new Cell(Map.of(FACTOR, operation), round, expectedSeconds);
  }

  private double expectedSeconds(ClientOperation operation) {
    double start = operation.role() == Role.DATANODE ? HDFS_SHARE_OF_START_S : HBASE_START_S;
    double blocks = settings.blocks() * (Variant.FOR_HINTS.size() + 1);
    return start + WARM_UP_S + blocks * settings.blockSeconds();
  }

  private double expectedSeconds(SchedulerLoad load) {
    SchedulerScale scale = settings.scheduler();
    double block =
        scale.blockSeconds(load) + SCHEDULER_SWITCH_S + (load.besideHeldReads() ? HELD_READS_S : 0);
    return SCHEDULER_SHARE_OF_START_S
        + (scale.blocks(load) + 1) * Variant.FOR_SCHEDULER.size() * block;
  }

  /**
   * In a round: tasks, with nothing running beside them; what needs HDFS only, in random order;
   * starts, which end processes; HBase; engines; the scheduler, with most DataXceivers last.
   */
  @Override
  public List<Cell> order(List<Cell> cells, long seed) {
    List<Cell> order = new ArrayList<>(Orders.shuffledByRepetition(cells, seed));
    order.sort(
        (a, b) ->
            a.repetition() != b.repetition()
                ? Integer.compare(a.repetition(), b.repetition())
                : Integer.compare(group(a), group(b)));
    return order;
  }

  private static int group(Cell cell) {
    if (isScheduler(cell)) {
      return SchedulerLoad.of(cell.factor(FACTOR)).besideHeldReads() ? 5 : 4;
    }
    return isTaskStart(cell)
        ? -1
        : isStartUp(cell)
            ? 1
            : isEngines(cell)
                ? 3
                : ClientOperation.of(cell.factor(FACTOR)).role() == Role.DATANODE ? 0 : 2;
  }

  private static boolean isScheduler(Cell cell) {
    return Arrays.stream(SchedulerLoad.values())
        .anyMatch(l -> l.label().equals(cell.factor(FACTOR)));
  }

  private static boolean isEngines(Cell cell) {
    return Arrays.stream(ReadKind.values()).anyMatch(k -> k.label().equals(cell.factor(FACTOR)));
  }

  static boolean isTaskStart(Cell cell) {
    return cell.factor(FACTOR).equals(TASK_START);
  }

  static boolean isStartUp(Cell cell) {
    return cell.factor(FACTOR).equals(STARTUP);
  }

  /** Checks what can be checked; each round starts what it needs. */
  @Override
  public void prepare(StepLog log) throws IOException {
    boolean loops = settings.engineRounds() > 0 || settings.scheduler().rounds() > 0;
    if (loops && !Privileges.isRoot()) {
      throw new IOException(
          "the parts engines and scheduler read loop devices, which needs root; see --parts");
    }
  }

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    if (isEngines(cell)) {
      return engineBlocks(cell, log);
    }
    if (isScheduler(cell)) {
      return schedulerBlocks(cell, log);
    }
    if (isTaskStart(cell)) {
      close();
      log.say("starting tasks");
      return startUps(Variant.FOR_TASKS, cell, TaskStarts::start);
    }
    if (isStartUp(cell)) {
      SideBySide processes = sideBySide(Role.DATANODE, cell.repetition(), log);
      return startUps(
          Variant.FOR_HINTS,
          cell,
          variant -> {
            log.say("restarting the DataNode of " + variant.label());
            return processes.restart(variant);
          });
    }
    ClientOperation operation = ClientOperation.of(cell.factor(FACTOR));
    return hintBlocks(sideBySide(operation.role(), cell.repetition(), log), operation, cell, log);
  }

  private SideBySide sideBySide(Role role, int round, StepLog log) throws IOException {
    return (SideBySide)
        bed(role.label() + "s and clients", round, log, d -> SideBySide.start(d, role, round));
  }

  /** Starts processes in a directory. */
  @FunctionalInterface
  private interface Starter {
    Bed start(Path directory) throws IOException;
  }

  /** What is running if it belongs to the round, else started anew. */
  private Bed bed(String what, int round, StepLog log, Starter starter) throws IOException {
    String key = what + " of round " + round;
    Bed present = running;
    if (present != null && runningKey.equals(key)) {
      return present;
    }
    close();
    log.say("starting " + what);
    present = starter.start(directory);
    running = present;
    runningKey = key;
    present.warmUp(settings, log);
    return present;
  }

  private ObjectNode engineBlocks(Cell cell, StepLog log) throws IOException {
    int round = cell.repetition();
    EnginesBed bed =
        (EnginesBed) bed("DataNodes with engines", round, log, d -> EnginesBed.start(d, round));
    ReadKind kind = ReadKind.of(cell.factor(FACTOR));
    log.say("warming up " + kind.label());
    for (Variant variant : Variant.FOR_ENGINES) {
      bed.measure(variant, kind);
    }
    log.say("measuring " + kind.label());
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    takeTurns(
        shuffled(Variant.FOR_ENGINES, cell),
        settings.engineBlocks(),
        log,
        (variant, i) -> add(result, variant.label(), bed.measure(variant, kind)));
    return result;
  }

  private ObjectNode schedulerBlocks(Cell cell, StepLog log) throws IOException {
    SchedulerScale scale = settings.scheduler();
    SchedulerBed bed =
        (SchedulerBed)
            bed(
                "DataNodes whose scheduler is switched",
                cell.repetition(),
                log,
                d -> SchedulerBed.start(d, scale));
    SchedulerLoad load = SchedulerLoad.of(cell.factor(FACTOR));
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    if (!load.besideHeldReads()) {
      log.say("warming up " + load.label());
      bed.measure(load, Variant.TURNS, scale, JsonNodeFactory.instance.objectNode());
    }
    log.say("measuring " + load.label());
    takeTurns(
        shuffled(Variant.FOR_SCHEDULER, cell),
        scale.blocks(load),
        log,
        (variant, i) -> bed.measure(load, variant, scale, result));
    return result;
  }

  private ObjectNode hintBlocks(
      SideBySide processes, ClientOperation operation, Cell cell, StepLog log) throws IOException {
    log.say("measuring " + operation.words());
    String command = operation.label() + " " + settings.blockSeconds() + " 1";
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    takeTurns(
        shuffled(Variant.FOR_HINTS, cell),
        settings.blocks(),
        log,
        (variant, i) -> {
          if (variant.hinted() && i % 2 == 0) {
            measureUnstated(processes, variant, command, result);
          }
          add(result, variant.label(), processes.measure(variant, command));
          if (variant.hinted() && i % 2 == 1) {
            measureUnstated(processes, variant, command, result);
          }
        });
    addCommands(result, processes, command);
    return result;
  }

  /** What one variant does in its turn. */
  @FunctionalInterface
  private interface Turn {
    void take(Variant variant, int number) throws IOException;
  }

  /** Each variant has some turns, forward and backward, so that a steady drift cancels out. */
  private static void takeTurns(List<Variant> order, int turns, StepLog log, Turn turn)
      throws IOException {
    for (int i = 0; i < turns; i++) {
      if (Thread.interrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      for (Variant variant : order) {
        turn.take(variant, i);
      }
      Collections.reverse(order);
      log.at((i + 1.0) / turns, (i + 1) + " of " + turns + " blocks");
    }
  }

  private static void add(ObjectNode result, String label, Block block) {
    block.write(result.with("blocks").withArray(label).addObject());
  }

  private static void measureUnstated(
      SideBySide processes, Variant variant, String command, ObjectNode result) throws IOException {
    add(result, UNSTATED, processes.measure(variant, command + " " + LoadClient.UNSTATED));
  }

  /** Starts a process. */
  @FunctionalInterface
  private interface Start {
    StartUp of(Variant variant) throws IOException;
  }

  private static ObjectNode startUps(List<Variant> variants, Cell cell, Start start)
      throws IOException {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    ObjectNode starts = result.putObject("starts");
    for (Variant variant : shuffled(variants, cell)) {
      StartUp done = start.of(variant);
      starts
          .putObject(variant.label())
          .put(StartUps.SECONDS, done.seconds())
          .put(StartUps.CPU, done.cpuSeconds());
    }
    return result;
  }

  private static List<Variant> shuffled(List<Variant> variants, Cell cell) {
    List<Variant> order = new ArrayList<>(variants);
    Collections.shuffle(order, new Random(cell.id().hashCode()));
    return order;
  }

  private static void addCommands(ObjectNode result, SideBySide processes, String input) {
    processes
        .commands()
        .forEach(
            command -> result.withArray("commands").add(command + "  # standard input: " + input));
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    Findings findings = new Findings();
    Results all = new Results(results);
    List<String> summaries = new ArrayList<>();
    if (settings.hdfsRounds() > 0) {
      HintsFindings hints = new HintsFindings(all);
      hints.addTo(findings);
      hints.summary().ifPresent(summaries::add);
    }
    if (settings.engineRounds() > 0) {
      EnginesFindings engines = new EnginesFindings(all);
      engines.addTo(findings);
      engines.summary().ifPresent(summaries::add);
    }
    if (settings.scheduler().rounds() > 0) {
      SchedulerFindings scheduler = new SchedulerFindings(all);
      scheduler.addTo(findings);
      scheduler.summary().ifPresent(summaries::add);
    }
    if (settings.taskRounds() > 0) {
      TaskFindings tasks = new TaskFindings(all);
      tasks.addTo(findings);
      tasks.summary().ifPresent(summaries::add);
    }
    return findings.summary(
        summaries.isEmpty() ? "nothing measured yet" : String.join("; ", summaries));
  }

  /** The results of one value of the factor, a round each. */
  static List<CellResult> of(Results results, String value) {
    return results.of(cell -> cell.factor(FACTOR).equals(value)).all();
  }

  @Override
  public void close() throws IOException {
    Bed closing = running;
    if (closing != null) {
      closing.close();
      running = null;
    }
  }
}
