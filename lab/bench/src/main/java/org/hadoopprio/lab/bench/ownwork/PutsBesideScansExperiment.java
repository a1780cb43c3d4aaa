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

/** Puts that HBase answers from memory, while 16 scans want the disk that has its log. */
public final class PutsBesideScansExperiment extends OwnWorkExperiment {

  static final String SYNC = "sync-wal";
  static final String ASYNC = "async-wal";

  /** How many times stock's the latency of Puts may be. */
  static final double MAX_RATIO = 1.05;

  private static final int SECONDS = 30;
  private static final int QUICK_SECONDS = 15;

  private static final Map<String, String> DURABILITIES =
      Map.of(SYNC, "SYNC_WAL", ASYNC, "ASYNC_WAL");

  private final int seconds;
  private final Path directory;

  /**
   * The experiment.
   *
   * @param quick short windows
   * @param directory for the cluster
   */
  public PutsBesideScansExperiment(
      boolean quick,
      Set<OwnWorkSystem> systems,
      OwnWorkDrive drive,
      int repetitions,
      Path directory) {
    super(List.of(SYNC, ASYNC), systems, drive, repetitions);
    this.seconds = quick ? QUICK_SECONDS : SECONDS;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "puts";
  }

  @Override
  public String title() {
    return "What scans do to the Puts beside them that are answered from memory";
  }

  @Override
  Map<String, String> scale() {
    return Map.of(
        "beside", "scans",
        "seconds", Integer.toString(seconds),
        "scans", Integer.toString(ScansBed.SCANS),
        "puts-per-second", Integer.toString(ScansBed.PUTS_PER_SECOND),
        "put-bytes", Integer.toString(ScansBed.PUT_BYTES));
  }

  @Override
  OwnWorkBed start(OwnWorkDrive disks, StepLog log) throws IOException {
    return ScansBed.start(directory, DURABILITIES, seconds, disks, log);
  }

  @Override
  double expectedSeconds(String condition) {
    return OwnWorkBed.EXTRA_SECONDS + seconds;
  }

  @Override
  void evaluate(Results all, Findings findings) {
    for (String condition : List.of(SYNC, ASYNC)) {
      Results stock = of(all, condition, OwnWorkSystem.STOCK);
      Results ours = of(all, condition, OwnWorkSystem.BALANCED);
      for (String percentile : List.of("p50", "p99")) {
        findings.add(
            target(
                percentile + " of Puts with " + DURABILITIES.get(condition) + ", balanced / stock",
                Target.Bound.AT_MOST,
                MAX_RATIO,
                ours.ratio(stock, "/client/" + percentile + "_ms")));
      }
    }
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("Puts", "/client/reads");
    columns.put("mean ms", "/client/mean_ms");
    columns.put("p50 ms", "/client/p50_ms");
    columns.put("p99 ms", "/client/p99_ms");
    columns.put("longest ms", "/client/max_ms");
    columns.put("scans MB/s", "/own/mb_per_s");
    columns.put("longest read ms", "/own/longest_wait_ms");
    addTable(all, findings, "Puts and scans", columns);
    findings.note("The latency of a Put counts from the time at which it was due.");
  }
}
