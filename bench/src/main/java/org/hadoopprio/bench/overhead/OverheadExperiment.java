package org.hadoopprio.bench.overhead;

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
import org.hadoopprio.bench.cluster.Role;
import org.hadoopprio.bench.experiment.Cell;
import org.hadoopprio.bench.experiment.CellResult;
import org.hadoopprio.bench.experiment.Experiment;
import org.hadoopprio.bench.experiment.Findings;
import org.hadoopprio.bench.experiment.Orders;
import org.hadoopprio.bench.experiment.StepLog;

/**
 * Stock Hadoop and hadoop-prio, with and without priorities, side by side on an idle machine.
 *
 * <p>A repetition is a round: all processes are started anew, with the variants in another order.
 * In a cell the variants take turns in short blocks, forward and backward, so that what changes on
 * the machine meets all of them alike.
 */
public final class OverheadExperiment implements Experiment {

  static final String FACTOR = "operation";
  static final String STARTUP = "startup";

  /** Blocks of the variant with hints in which it states none: the same processes, no hint. */
  static final String UNSTATED = "hints-unstated";

  private static final double HDFS_SHARE_OF_START_S = 6;
  private static final double HBASE_START_S = 60;
  private static final double WARM_UP_S = 12;
  private static final double RESTART_S = 6;

  private final OverheadSettings settings;
  private final Path directory;
  private volatile SideBySide running;

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
    return "What hadoop-prio costs on an idle machine: stock, without hints, with hints";
  }

  @Override
  public Map<String, String> settings() {
    return settings.toMap();
  }

  @Override
  public List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int round = 1; round <= settings.hdfsRounds(); round++) {
      for (Operation operation : Operation.values()) {
        if (operation.role() == Role.DATANODE || round <= settings.hbaseRounds()) {
          cells.add(cell(operation.label(), round, expectedSeconds(operation)));
        }
      }
      if (round <= settings.startUpRounds()) {
        cells.add(cell(STARTUP, round, RESTART_S * Variant.values().length));
      }
    }
    return cells;
  }

  private static Cell cell(String operation, int round, double expectedSeconds) {
    return new Cell(Map.of(FACTOR, operation), round, expectedSeconds);
  }

  private double expectedSeconds(Operation operation) {
    double start = operation.role() == Role.DATANODE ? HDFS_SHARE_OF_START_S : HBASE_START_S;
    double blocks = settings.blocks() * (Variant.values().length + 1);
    return start + WARM_UP_S + blocks * settings.blockSeconds();
  }

  /** In a round: what needs HDFS only, in random order; starts, which end processes; HBase. */
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
    return isStartUp(cell) ? 1 : Operation.of(cell.factor(FACTOR)).role() == Role.DATANODE ? 0 : 2;
  }

  static boolean isStartUp(Cell cell) {
    return cell.factor(FACTOR).equals(STARTUP);
  }

  /** Each round starts what it needs. */
  @Override
  public void prepare(StepLog log) {}

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    if (isStartUp(cell)) {
      return startUps(processes(Role.DATANODE, cell.repetition(), log), cell, log);
    }
    Operation operation = Operation.of(cell.factor(FACTOR));
    return blocks(processes(operation.role(), cell.repetition(), log), operation, cell, log);
  }

  private SideBySide processes(Role role, int round, StepLog log) throws IOException {
    SideBySide present = running;
    if (present != null && present.role() == role && present.turn() == round) {
      return present;
    }
    close();
    log.say("starting " + Variant.values().length + " " + role.label() + "s and clients");
    SideBySide started = SideBySide.start(directory, role, round);
    running = started;
    for (Operation operation : Operation.values()) {
      if (operation.role() == role) {
        log.say("warming up " + operation.words());
        started.warmUp(operation, settings.warmUp(operation));
      }
    }
    return started;
  }

  private ObjectNode blocks(SideBySide processes, Operation operation, Cell cell, StepLog log)
      throws IOException {
    log.say("measuring " + operation.words());
    String command = operation.label() + " " + settings.blockSeconds() + " 1";
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    ObjectNode blocks = result.putObject("blocks");
    Arrays.stream(Variant.values()).forEach(variant -> blocks.putArray(variant.label()));
    blocks.putArray(UNSTATED);
    List<Variant> order = shuffled(cell);
    for (int i = 0; i < settings.blocks(); i++) {
      if (Thread.interrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      for (Variant variant : order) {
        if (variant.hinted() && i % 2 == 0) {
          measureUnstated(processes, variant, command, blocks);
        }
        processes.measure(variant, command).write(blocks.withArray(variant.label()).addObject());
        if (variant.hinted() && i % 2 == 1) {
          measureUnstated(processes, variant, command, blocks);
        }
      }
      // There and back again, so that a steady drift cancels out.
      Collections.reverse(order);
      log.at((i + 1.0) / settings.blocks(), (i + 1) + " of " + settings.blocks() + " blocks");
    }
    addCommands(result, processes, command);
    return result;
  }

  private static void measureUnstated(
      SideBySide processes, Variant variant, String command, ObjectNode blocks) throws IOException {
    processes
        .measure(variant, command + " " + LoadClient.UNSTATED)
        .write(blocks.withArray(UNSTATED).addObject());
  }

  private ObjectNode startUps(SideBySide processes, Cell cell, StepLog log) throws IOException {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    ObjectNode starts = result.putObject("starts");
    for (Variant variant : shuffled(cell)) {
      log.say("restarting the DataNode of " + variant.label());
      StartUp start = processes.restart(variant);
      starts
          .putObject(variant.label())
          .put("seconds", start.seconds())
          .put("cpu_s", start.cpuSeconds());
    }
    return result;
  }

  private static List<Variant> shuffled(Cell cell) {
    List<Variant> order = new ArrayList<>(List.of(Variant.values()));
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
    return new OverheadFindings(results).toFindings();
  }

  @Override
  public void close() throws IOException {
    SideBySide closing = running;
    if (closing != null) {
      closing.close();
      running = null;
    }
  }
}
