// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.SystemsExperiment;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.disk.ReadAhead;

/** Lost replicas are copied, on idle disks and beside reads. */
public final class RebuildExperiment extends SystemsExperiment<OwnWorkSystem> {

  static final String REBUILD = "rebuild";
  static final String READS = "reads";
  static final String BOTH = "both";

  /** How much longer than on stock a rebuild may take on idle disks. */
  static final double MAX_TIME = 1.1;

  /** By what factor a rebuild may raise the 99th percentile of reads. */
  static final double MAX_LATENCY = 1.2;

  /** The least part of the measured time in which the rebuild must go on. */
  static final double MIN_COVERED = 0.9;

  /**
   * A rebuild lasts longer than the reads; alone, the second or two until it begins count little.
   */
  private static final int FILES = 33;

  /** Ten reads are beyond a percentile of 99. */
  private static final int SECONDS = 14;

  /** Data are written anew before each rebuild; about. */
  private static final double WRITE_SECONDS = 15;

  private static final double REBUILD_GUESS_S = 18;

  private final OwnWorkDrive drive;
  private final int files;
  private final int seconds;
  private final Path directory;

  /**
   * The experiment.
   *
   * @param directory for the cluster
   */
  public RebuildExperiment(
      Set<OwnWorkSystem> systems, OwnWorkDrive drive, int repetitions, Path directory) {
    this(FILES, SECONDS, systems, drive, repetitions, directory);
  }

  RebuildExperiment(
      int files,
      int seconds,
      Set<OwnWorkSystem> systems,
      OwnWorkDrive drive,
      int repetitions,
      Path directory) {
    super(
        "ownwork-rebuild",
        "Lost replicas are copied on idle disks and beside reads",
        List.of(REBUILD, READS, BOTH),
        systems,
        repetitions);
    this.drive = drive;
    this.files = files;
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
        "files",
        Integer.toString(files),
        "file-bytes",
        Long.toString(RebuildBed.FILE_BYTES),
        "seconds",
        Integer.toString(seconds),
        "data-nodes",
        Integer.toString(RebuildBed.DATA_NODES),
        "reads-per-second",
        Integer.toString(RebuildBed.READS_PER_SECOND),
        "read-bytes",
        Integer.toString(RebuildBed.READ_BYTES),
        "read-priority",
        RebuildBed.READ_PRIORITY);
  }

  @Override
  protected ClientBed<OwnWorkSystem> start(StepLog log) throws IOException {
    return RebuildBed.start(directory, drive, files, seconds, log);
  }

  @Override
  protected double expectedSeconds(String condition) {
    double rebuild = condition.equals(READS) ? seconds : WRITE_SECONDS + REBUILD_GUESS_S;
    return rebuild + (condition.equals(REBUILD) ? 0 : ClientBed.EXTRA_SECONDS);
  }

  @Override
  protected void evaluate(Results all, Findings findings) {
    String duration = "/own/seconds";
    findings.add(
        ownTarget(
            "time of a rebuild on idle disks, balanced / stock",
            Target.Bound.AT_MOST,
            MAX_TIME,
            of(all, REBUILD, OwnWorkSystem.BALANCED),
            of(all, REBUILD, OwnWorkSystem.STOCK),
            duration));
    findings.add(
        ownTarget(
            "p99 of reads at "
                + RebuildBed.READ_PRIORITY
                + " in balanced, beside a rebuild / alone",
            Target.Bound.AT_MOST,
            MAX_LATENCY,
            of(all, BOTH, OwnWorkSystem.BALANCED),
            of(all, READS, OwnWorkSystem.BALANCED),
            "/client/p99_ms"));
    for (CellResult result : all.all()) {
      if (result.measured().at("/own/covered").asDouble(1) < MIN_COVERED) {
        findings.invalid(result.cell() + ": the rebuild ended long before the reads did");
      }
    }
    addTable(
        all,
        findings,
        "Rebuilds and reads",
        "reads",
        "rebuild s",
        duration,
        "rebuild MB/s",
        "/own/mb_per_s");
    findings.note(
        "A rebuild takes from the request until there are all replicas and they are on the disks,"
            + " with the second or two until the NameNode and the DataNodes begin. Beside reads it"
            + " begins before they are measured.");
  }
}
