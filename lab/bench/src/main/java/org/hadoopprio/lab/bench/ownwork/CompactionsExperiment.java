// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.SystemsExperiment;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.disk.ReadAhead;

/** Puts whose log is synced to the disk, alone and beside major compactions. */
public final class CompactionsExperiment extends SystemsExperiment<OwnWorkSystem> {

  static final String ALONE = "alone";
  static final String COMPACTION = "compaction";

  /** How many times lower the 99th percentile of Puts must be than stock's. */
  static final double MIN_GAIN = 2;

  /** The share of its stock throughput that a compaction must keep. */
  static final double MIN_COMPACTION = 0.85;

  /** A few times as large as a DataNode's page cache. */
  private static final long TABLE_BYTES = 768L << 20;

  /** A percentile of 99 has six Puts beyond it. */
  private static final int SECONDS = 60;

  private static final int QUICK_SECONDS = 30;

  private final OwnWorkDrive drive;
  private final long tableBytes;
  private final int seconds;
  private final Path directory;

  /**
   * The experiment.
   *
   * @param quick short windows
   * @param directory for the cluster
   */
  public CompactionsExperiment(boolean quick, OwnWorkDrive drive, int repetitions, Path directory) {
    this(TABLE_BYTES, quick ? QUICK_SECONDS : SECONDS, drive, repetitions, directory);
  }

  CompactionsExperiment(
      long tableBytes, int seconds, OwnWorkDrive drive, int repetitions, Path directory) {
    super(
        "ownwork-compactions",
        "What a compaction does to the Puts beside it",
        List.of(ALONE, COMPACTION),
        EnumSet.allOf(OwnWorkSystem.class),
        repetitions);
    this.drive = drive;
    this.tableBytes = tableBytes;
    this.seconds = seconds;
    this.directory = directory;
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(
        "drive",
        drive.toString(),
        ReadAhead.SETTING,
        Integer.toString(ReadAhead.byDefault().kib()),
        "table-bytes",
        Long.toString(tableBytes),
        "alone-seconds",
        Integer.toString(aloneSeconds()),
        "beside-seconds",
        Integer.toString(seconds),
        "puts-per-second",
        Integer.toString(CompactionsBed.PUTS_PER_SECOND),
        "put-bytes",
        Integer.toString(CompactionsBed.PUT_BYTES));
  }

  /** Puts alone differ less. */
  private int aloneSeconds() {
    return seconds / 3;
  }

  @Override
  protected ClientBed<OwnWorkSystem> start(StepLog log) throws IOException {
    return CompactionsBed.start(directory, drive, tableBytes, aloneSeconds(), seconds, log);
  }

  @Override
  protected double expectedSeconds(String condition) {
    return ClientBed.EXTRA_SECONDS
        + (condition.equals(ALONE)
            ? aloneSeconds()
            : seconds + CompactionsBed.COMPACTION_GUESS_S / 2);
  }

  @Override
  protected void evaluate(Results all, Findings findings) {
    String throughput = "/own/mb_per_s";
    Results stock = of(all, COMPACTION, OwnWorkSystem.STOCK);
    Results ours = of(all, COMPACTION, OwnWorkSystem.DEFAULTS);
    findings.add(
        ownTarget(
            "p99 of Puts beside a compaction, stock / defaults",
            Target.Bound.AT_LEAST,
            MIN_GAIN,
            stock,
            ours,
            "/client/p99_ms"));
    findings.add(
        ownTarget(
            "throughput of compactions beside Puts, defaults / stock",
            Target.Bound.AT_LEAST,
            MIN_COMPACTION,
            ours,
            stock,
            throughput));
    addTable(
        all,
        findings,
        "Puts and compactions",
        "Puts",
        "compactions",
        "/own/count",
        "compaction MB/s",
        throughput);
    findings.note(
        "The latency of a Put counts from the time at which it was due. A compaction's throughput is"
            + " the size of the table, which it reads and writes, by the time from the request to"
            + " the end of the new file; what the DataNode has not yet written then is in the page"
            + " cache. Those that end while Puts are measured count, or the first if none does.");
  }
}
