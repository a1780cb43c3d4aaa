package org.hadoopprio.bench.engines;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.hadoopprio.bench.experiment.Cell;
import org.hadoopprio.bench.experiment.CellResult;
import org.hadoopprio.bench.experiment.Experiment;
import org.hadoopprio.bench.experiment.Findings;
import org.hadoopprio.bench.experiment.StepLog;

/**
 * Stock zero-copy reads and the three engines, side by side: the DataNode's CPU time per read, and
 * reads of one client per second. A repetition is a round of new processes; in a cell the variants
 * take turns in short blocks, forward and backward.
 */
public final class EnginesExperiment implements Experiment {

  static final String FACTOR = "reads";

  private static final double START_S = 50;
  private static final double BLOCK_S = 1.5;

  private final int rounds;
  private final int blocks;
  private final Path directory;
  private volatile EnginesBed bed;
  private int bedsRound;

  /**
   * Plans the experiment.
   *
   * @param rounds how often all processes are started anew
   * @param blocks how many blocks each variant has in a cell
   * @param directory for the clusters, one after the other
   */
  public EnginesExperiment(int rounds, int blocks, Path directory) {
    this.rounds = rounds;
    this.blocks = blocks;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "engines";
  }

  @Override
  public String title() {
    return "What a DataNode's engines cost: stock zero-copy, thread, direct, ncq";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> map = new TreeMap<>();
    map.put("blocks per variant", Integer.toString(blocks));
    map.put("file MiB", Integer.toString(EnginesBed.FILE_BYTES >> 20));
    return map;
  }

  @Override
  public List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      for (ReadKind kind : ReadKind.values()) {
        double seconds = START_S / ReadKind.values().length;
        cells.add(
            new Cell(
                Map.of(FACTOR, kind.label()),
                round,
                seconds + BLOCK_S * (blocks + 1) * Variant.values().length));
      }
    }
    return cells;
  }

  /** Each round starts what it needs. */
  @Override
  public void prepare(StepLog log) {}

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    ReadKind kind = ReadKind.of(cell.factor(FACTOR));
    EnginesBed present = bed(cell.repetition(), log);
    List<Variant> order = new ArrayList<>(List.of(Variant.values()));
    Collections.shuffle(order, new Random(cell.id().hashCode()));
    log.say("warming up " + kind.label());
    for (Variant variant : order) {
      present.measure(variant, kind);
    }
    log.say("measuring " + kind.label());
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    ObjectNode measured = result.putObject("blocks");
    for (int i = 0; i < blocks; i++) {
      if (Thread.interrupted()) {
        throw new InterruptedIOException("interrupted");
      }
      for (Variant variant : order) {
        EnginesBed.Block block = present.measure(variant, kind);
        measured
            .withArray(variant.label())
            .addObject()
            .put("reads", block.reads)
            .put("seconds", block.seconds)
            .put("cpu_s", block.cpuSeconds);
      }
      // There and back again, so that a steady drift cancels out.
      Collections.reverse(order);
      log.at((i + 1.0) / blocks, (i + 1) + " of " + blocks + " blocks");
    }
    return result;
  }

  private EnginesBed bed(int round, StepLog log) throws IOException {
    EnginesBed present = bed;
    if (present != null && bedsRound == round) {
      return present;
    }
    close();
    log.say("starting " + Variant.values().length + " DataNodes");
    present = EnginesBed.start(directory, round);
    bed = present;
    bedsRound = round;
    for (Variant variant : Variant.values()) {
      log.say("warming up " + variant.daemon() + ", " + variant.label());
      present.warmUp(variant);
    }
    return present;
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    return new EnginesFindings(results).toFindings();
  }

  @Override
  public void close() throws IOException {
    EnginesBed closing = bed;
    if (closing != null) {
      bed = null;
      closing.close();
    }
  }
}
