// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.Target;

/** Puts whose log is synced to the disk, alone and beside major compactions. */
public final class PutsExperiment extends OwnWorkExperiment {

  static final String ALONE = "alone";
  static final String COMPACTION = "compaction";

  /** How many times lower the 99th percentile of Puts must be than stock's. */
  static final double MIN_GAIN = 2;

  /** The share of its stock throughput that a compaction must keep. */
  static final double MIN_COMPACTION = 0.85;

  private final PutsScale scale;
  private final Path directory;

  /**
   * The experiment.
   *
   * @param quick short windows
   * @param directory for the cluster
   */
  public PutsExperiment(
      boolean quick,
      Set<OwnWorkSystem> systems,
      OwnWorkDrive drive,
      int repetitions,
      Path directory) {
    this(quick ? PutsScale.QUICK : PutsScale.FULL, systems, drive, repetitions, directory);
  }

  PutsExperiment(
      PutsScale scale,
      Set<OwnWorkSystem> systems,
      OwnWorkDrive drive,
      int repetitions,
      Path directory) {
    super(List.of(ALONE, COMPACTION), systems, drive, repetitions);
    this.scale = scale;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "puts";
  }

  @Override
  public String title() {
    return "What a compaction does to the Puts beside it";
  }

  @Override
  Map<String, String> scale() {
    return scale.settings();
  }

  @Override
  OwnWorkBed start(OwnWorkDrive disks, StepLog log) throws IOException {
    return PutsBed.start(directory, scale, disks, log);
  }

  @Override
  double expectedSeconds(String condition) {
    return OwnWorkBed.EXTRA_SECONDS
        + (condition.equals(ALONE)
            ? scale.aloneSeconds()
            : scale.besideSeconds() + PutsBed.COMPACTION_GUESS_S / 2);
  }

  @Override
  void evaluate(Results all, Findings findings) {
    String p99 = "/client/p99_ms";
    String throughput = "/own/mb_per_s";
    Results stock = of(all, COMPACTION, OwnWorkSystem.STOCK);
    Results ours = of(all, COMPACTION, OwnWorkSystem.BALANCED);
    findings.add(
        target(
            "p99 of Puts beside a compaction, stock / balanced",
            Target.Bound.AT_LEAST,
            MIN_GAIN,
            stock.ratio(ours, p99)));
    findings.add(
        target(
            "throughput of compactions beside Puts, balanced / stock",
            Target.Bound.AT_LEAST,
            MIN_COMPACTION,
            ours.ratio(stock, throughput)));
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("Puts", "/client/reads");
    columns.put("mean ms", "/client/mean_ms");
    columns.put("p50 ms", "/client/p50_ms");
    columns.put("p99 ms", p99);
    columns.put("longest ms", "/client/max_ms");
    columns.put("compactions", "/own/count");
    columns.put("compaction MB/s", throughput);
    addTable(all, findings, "Puts and compactions", columns);
    findings.note(
        "The latency of a Put counts from the time at which it was due. A compaction's throughput is"
            + " the size of the table, which it reads and writes, by the time from the request to"
            + " the end of the new file; what the DataNode has not yet written then is in the page"
            + " cache. Those that end while Puts are measured count, or the first if none does.");
  }
}
