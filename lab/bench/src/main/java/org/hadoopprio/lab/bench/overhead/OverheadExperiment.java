// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.disk.Privileges;

/**
 * What hadoop-prio costs on an idle machine: a read in each {@link State}, the start of a MapReduce
 * task. A repetition is a round, in which all processes are new.
 */
public final class OverheadExperiment implements Experiment {

  /** CPU seconds that the agent may add to the start of a task: 5 % of a task of 10 s. */
  static final double MAX_TASK_CPU_S = 0.5;

  private static final String PART = "part";
  private static final double START_S = 15;
  private static final double RECONFIGURE_S = 0.4;
  private static final double TASKS_S = 8;

  private final OverheadScale scale;
  private final Set<OverheadPart> parts;
  private final int repetitions;
  private final boolean quick;
  private final Path directory;
  private volatile Closeable running;

  /**
   * Plans the experiment.
   *
   * @param repetitions rounds of each part; 0 for what each has if nothing else is said
   * @param directory for the clusters, one after the other
   */
  public OverheadExperiment(
      Set<OverheadPart> parts, int repetitions, boolean quick, Path directory) {
    this(OverheadScale.FULL, parts, repetitions, quick, directory);
  }

  OverheadExperiment(
      OverheadScale scale,
      Set<OverheadPart> parts,
      int repetitions,
      boolean quick,
      Path directory) {
    this.scale = scale;
    this.parts = Set.copyOf(parts);
    this.repetitions = repetitions;
    this.quick = quick;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "overhead";
  }

  @Override
  public String title() {
    return "What hadoop-prio costs where there is nothing to gain";
  }

  @Override
  public Map<String, String> settings() {
    return scale.settings();
  }

  /** Part by part, so that one that needs no daemons is not disturbed by theirs. */
  @Override
  public List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (OverheadPart part : OverheadPart.values()) {
      int rounds = repetitions > 0 ? repetitions : part.rounds(quick);
      for (int round = 1; parts.contains(part) && round <= rounds; round++) {
        cells.add(new Cell(Map.of(PART, part.label()), round, expectedSeconds(part)));
      }
    }
    return cells;
  }

  private double expectedSeconds(OverheadPart part) {
    return switch (part) {
      case READS ->
          START_S
              + State.values().length
                  * (scale.warmUpSeconds() + scale.cycles() * (scale.seconds() + RECONFIGURE_S));
      case TASK -> TASKS_S;
    };
  }

  @Override
  public List<Cell> order(List<Cell> cells, long seed) {
    return cells;
  }

  @Override
  public void prepare(StepLog log) throws IOException {
    if (parts.contains(OverheadPart.READS) && !Privileges.isRoot()) {
      throw new IOException("part reads needs root, for a loop device; see --parts");
    }
  }

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    return switch (OverheadPart.valueOf(cell.factor(PART).toUpperCase(Locale.ROOT))) {
      case READS -> reads(log);
      case TASK -> {
        log.say("starting tasks");
        yield StartUps.measure(cell.repetition(), TaskStarts::start);
      }
    };
  }

  private ObjectNode reads(StepLog log) throws IOException {
    log.say("starting a DataNode and a client");
    try (ReadsBed bed = ReadsBed.start(directory)) {
      running = bed;
      log.say("warming up");
      bed.warmUp(scale.warmUpSeconds());
      log.say("measuring");
      return bed.measure(scale.cycles(), scale.seconds(), log);
    } finally {
      running = null;
    }
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    Findings findings = new Findings();
    List<String> summaries = new ArrayList<>();
    if (parts.contains(OverheadPart.READS)) {
      ReadsFindings reads = new ReadsFindings(of(results, OverheadPart.READS));
      reads.addTo(findings);
      reads.summary().ifPresent(summaries::add);
    }
    if (parts.contains(OverheadPart.TASK)) {
      StartUps tasks = new StartUps(of(results, OverheadPart.TASK));
      findings.add(
          Target.of(
              "start of a task, CPU time that the agent adds, s",
              Target.Bound.AT_MOST,
              MAX_TASK_CPU_S,
              tasks.addedCpu().filter(Estimate::hasInterval),
              "the project's aim"));
      if (!tasks.isEmpty()) {
        findings.add(tasks.table("Start of a MapReduce task, until it could read"));
        summaries.add("s of CPU time added to a task's start: " + tasks.addedCpu().orElseThrow());
      }
    }
    return findings.summary(
        summaries.isEmpty() ? "nothing measured yet" : String.join("; ", summaries));
  }

  private static List<CellResult> of(List<CellResult> results, OverheadPart part) {
    return new Results(results).of(cell -> cell.factor(PART).equals(part.label())).all();
  }

  @Override
  public void close() throws IOException {
    Closeable closing = running;
    if (closing != null) {
      closing.close();
      running = null;
    }
  }
}
