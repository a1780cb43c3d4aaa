// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.late;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Experiment;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** Reads while one of three disks is slow or hangs, without a remedy and with two of them. */
public final class LateExperiment implements Experiment {

  /** How much lower the 95th percentile must be than that of hedged reads. */
  static final double MAX_OF_HEDGED = 0.65;

  /** What the disks read for a client, as a multiple of what they read when nothing is wrong. */
  static final double MAX_DISK_READS = 1.01;

  private static final int FULL_SECONDS = 30;
  private static final int QUICK_SECONDS = 12;
  private static final String FAULT = "fault";
  private static final String SYSTEM = "system";
  private static final String P95 = "/client/p95_ms";
  private static final String DISK_READS = "/disk_reads";
  private static final String MITTOS = "MittOS (SOSP'17): up to 35 % below wait-then-speculate";
  private static final String OWN = "target of the project";

  private final int seconds;
  private final int repetitions;
  private final Path directory;
  private LateBed bed;

  /**
   * The experiment.
   *
   * @param quick short measurements
   * @param directory for the cluster
   */
  public LateExperiment(boolean quick, int repetitions, Path directory) {
    this.seconds = quick ? QUICK_SECONDS : FULL_SECONDS;
    this.repetitions = repetitions;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "late";
  }

  @Override
  public String title() {
    return "Reads with a latency target while one of three disks is slow or hangs";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(
        "seconds", Integer.toString(seconds),
        "files", Integer.toString(LateBed.FILES),
        "reads-per-second", Integer.toString(LateBed.READS_PER_SECOND),
        "read-bytes", Integer.toString(LateBed.READ_BYTES),
        "priority", LateSystem.PRIORITY,
        "slow", Fault.SLOW.overhead());
  }

  @Override
  public List<Cell> plan() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (Fault fault : Fault.values()) {
        for (LateSystem system : LateSystem.values()) {
          Map<String, String> factors = new LinkedHashMap<>();
          factors.put(FAULT, fault.toString());
          factors.put(SYSTEM, system.toString());
          cells.add(new Cell(factors, repetition, seconds + LateBed.EXTRA_SECONDS));
        }
      }
    }
    return cells;
  }

  @Override
  public void prepare(StepLog log) throws IOException {
    LateBed started = LateBed.start(directory, seconds, log);
    synchronized (this) {
      bed = started;
    }
  }

  @Override
  public ObjectNode run(Cell cell, StepLog log) throws IOException {
    return bed.measure(
        Fault.valueOf(cell.factor(FAULT).toUpperCase(Locale.ROOT)),
        LateSystem.valueOf(cell.factor(SYSTEM).toUpperCase(Locale.ROOT)));
  }

  private static Results of(Results all, Fault fault, LateSystem system) {
    return all.of(
        cell ->
            cell.factor(FAULT).equals(fault.toString())
                && cell.factor(SYSTEM).equals(system.toString()));
  }

  @Override
  public Findings evaluate(List<CellResult> results) {
    Findings findings = new Findings();
    results.forEach(findings::requireGate);
    Results all = new Results(results);
    Results fine = of(all, Fault.NONE, LateSystem.TARGETS);
    for (Fault fault : List.of(Fault.SLOW, Fault.HUNG)) {
      Results ours = of(all, fault, LateSystem.TARGETS);
      findings.add(
          Target.of(
              fault + " disk: p95 with targets / with hedged reads",
              Target.Bound.AT_MOST,
              MAX_OF_HEDGED,
              ours.ratio(of(all, fault, LateSystem.HEDGED), P95),
              MITTOS));
      findings.add(
          Target.of(
              fault + " disk: disk reads for each of the client's, with targets / nothing wrong",
              Target.Bound.AT_MOST,
              MAX_DISK_READS,
              ours.ratio(fine, DISK_READS),
              OWN));
    }
    addTable(all, findings);
    findings.note(
        "The latency of a read counts from the time at which it was due. Hedged reads ask another"
            + " DataNode after the 95th percentile of stock reads when nothing is wrong, measured"
            + " before. Disk reads are those that the three drives have answered, for each read of"
            + " the client. A drive that hangs answers when the measurement has ended.");
    return findings.summary(
        findings.targets().stream()
            .map(
                target ->
                    target.what()
                        + ": "
                        + target.estimate().map(Estimate::toString).orElse("not measured"))
            .collect(Collectors.joining("; ")));
  }

  private static void addTable(Results all, Findings findings) {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("reads", "/client/reads");
    columns.put("mean ms", "/client/mean_ms");
    columns.put("p50 ms", "/client/p50_ms");
    columns.put("p95 ms", P95);
    columns.put("p99 ms", "/client/p99_ms");
    columns.put("longest ms", "/client/max_ms");
    columns.put("disk reads each", DISK_READS);
    columns.put("refused", "/refused");
    List<String> titles = new ArrayList<>(List.of(FAULT, SYSTEM));
    titles.addAll(columns.keySet());
    ReportTable table = new ReportTable("Reads", titles);
    for (Fault fault : Fault.values()) {
      for (LateSystem system : LateSystem.values()) {
        Results measured = of(all, fault, system);
        if (!measured.all().isEmpty()) {
          List<String> row = new ArrayList<>(List.of(fault.toString(), system.toString()));
          for (String path : columns.values()) {
            Optional<Estimate> estimate = measured.estimate(path);
            row.add(estimate.map(Estimate::plusMinus).orElse(""));
          }
          table.row(row);
        }
      }
    }
    findings.add(table);
  }

  @Override
  public synchronized void close() throws IOException {
    if (bed != null) {
      bed.close();
    }
  }
}
