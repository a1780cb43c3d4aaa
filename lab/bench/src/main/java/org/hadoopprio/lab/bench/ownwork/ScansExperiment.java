// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.SystemsExperiment;
import org.hadoopprio.lab.bench.experiment.Target;

/** Puts that HBase answers from memory, while 16 scans want the disk that has its log. */
public final class ScansExperiment extends SystemsExperiment<OwnWorkSystem> {

  static final String SYNC = "sync-wal";
  static final String ASYNC = "async-wal";

  /** How many times stock's the latency of Puts may be. */
  static final double MAX_RATIO = 1.05;

  private static final int SECONDS = 30;
  private static final int QUICK_SECONDS = 15;

  private static final Map<String, String> DURABILITIES =
      Map.of(SYNC, "SYNC_WAL", ASYNC, "ASYNC_WAL");

  private final OwnWorkDrive drive;
  private final int seconds;
  private final Path directory;

  /**
   * The experiment.
   *
   * @param quick short windows
   * @param directory for the cluster
   */
  public ScansExperiment(
      boolean quick,
      Set<OwnWorkSystem> systems,
      OwnWorkDrive drive,
      int repetitions,
      Path directory) {
    super(
        "ownwork-scans",
        "What scans do to the Puts beside them that are answered from memory",
        List.of(SYNC, ASYNC),
        systems,
        repetitions);
    this.drive = drive;
    this.seconds = quick ? QUICK_SECONDS : SECONDS;
    this.directory = directory;
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(
        "drive", drive.toString(),
        "seconds", Integer.toString(seconds),
        "scans", Integer.toString(ScansBed.SCANS),
        "puts-per-second", Integer.toString(ScansBed.PUTS_PER_SECOND),
        "put-bytes", Integer.toString(ScansBed.PUT_BYTES));
  }

  @Override
  protected ClientBed<OwnWorkSystem> start(StepLog log) throws IOException {
    return ScansBed.start(directory, drive, DURABILITIES, seconds, log);
  }

  @Override
  protected double expectedSeconds(String condition) {
    return ClientBed.EXTRA_SECONDS + seconds;
  }

  @Override
  protected void evaluate(Results all, Findings findings) {
    for (String condition : List.of(SYNC, ASYNC)) {
      for (String percentile : List.of("p50", "p99")) {
        findings.add(
            ownTarget(
                percentile + " of Puts with " + DURABILITIES.get(condition) + ", balanced / stock",
                Target.Bound.AT_MOST,
                MAX_RATIO,
                of(all, condition, OwnWorkSystem.BALANCED),
                of(all, condition, OwnWorkSystem.STOCK),
                "/client/" + percentile + "_ms"));
      }
    }
    addTable(
        all,
        findings,
        "Puts and scans",
        "Puts",
        "scans MB/s",
        "/own/mb_per_s",
        "longest read ms",
        "/own/longest_wait_ms");
    findings.note("The latency of a Put counts from the time at which it was due.");
  }
}
