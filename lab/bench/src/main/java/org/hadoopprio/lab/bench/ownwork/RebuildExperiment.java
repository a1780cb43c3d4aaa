// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.Target;

/** Lost replicas are copied, on idle disks and beside reads. */
public final class RebuildExperiment extends OwnWorkExperiment {

  static final String REBUILD = "rebuild";
  static final String READS = "reads";
  static final String BOTH = "both";

  /** How much longer than on stock a rebuild may take on idle disks. */
  static final double MAX_TIME = 1.1;

  /** By what factor a rebuild may raise the 99th percentile of reads. */
  static final double MAX_LATENCY = 1.2;

  /** The least part of the measured time in which the rebuild must go on. */
  static final double MIN_COVERED = 0.9;

  /** Data are written anew before each rebuild; about. */
  private static final double WRITE_SECONDS = 15;

  private static final double REBUILD_GUESS_S = 18;

  private final RebuildScale scale;
  private final Path directory;

  /**
   * The experiment.
   *
   * @param directory for the cluster
   */
  public RebuildExperiment(
      Set<OwnWorkSystem> systems, OwnWorkDrive drive, int repetitions, Path directory) {
    this(RebuildScale.FULL, systems, drive, repetitions, directory);
  }

  RebuildExperiment(
      RebuildScale scale,
      Set<OwnWorkSystem> systems,
      OwnWorkDrive drive,
      int repetitions,
      Path directory) {
    super(List.of(REBUILD, READS, BOTH), systems, drive, repetitions);
    this.scale = scale;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "rebuild";
  }

  @Override
  public String title() {
    return "Lost replicas are copied on idle disks and beside reads";
  }

  @Override
  Map<String, String> scale() {
    return scale.settings();
  }

  @Override
  OwnWorkBed start(OwnWorkDrive disks, StepLog log) throws IOException {
    return RebuildBed.start(directory, scale, disks, log);
  }

  @Override
  double expectedSeconds(String condition) {
    double rebuild = condition.equals(READS) ? 0 : WRITE_SECONDS + REBUILD_GUESS_S;
    double reads = condition.equals(REBUILD) ? 0 : OwnWorkBed.EXTRA_SECONDS;
    return rebuild + reads + (condition.equals(READS) ? scale.seconds() : 0);
  }

  @Override
  void evaluate(Results all, Findings findings) {
    String p99 = "/client/p99_ms";
    String seconds = "/own/seconds";
    Results alone = of(all, READS, OwnWorkSystem.BALANCED);
    findings.add(
        target(
            "time of a rebuild on idle disks, balanced / stock",
            Target.Bound.AT_MOST,
            MAX_TIME,
            of(all, REBUILD, OwnWorkSystem.BALANCED)
                .ratio(of(all, REBUILD, OwnWorkSystem.STOCK), seconds)));
    findings.add(
        target(
            "p99 of reads at "
                + RebuildBed.READ_PRIORITY
                + " in balanced, beside a rebuild / alone",
            Target.Bound.AT_MOST,
            MAX_LATENCY,
            of(all, BOTH, OwnWorkSystem.BALANCED).ratio(alone, p99)));
    for (CellResult result : all.all()) {
      if (result.measured().at("/own/covered").asDouble(1) < MIN_COVERED) {
        findings.invalid(result.cell() + ": the rebuild ended long before the reads did");
      }
    }
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("rebuild s", seconds);
    columns.put("rebuild MB/s", "/own/mb_per_s");
    columns.put("reads", "/client/reads");
    columns.put("mean ms", "/client/mean_ms");
    columns.put("p50 ms", "/client/p50_ms");
    columns.put("p99 ms", p99);
    columns.put("longest ms", "/client/max_ms");
    addTable(all, findings, "Rebuilds and reads", columns);
    findings.note(
        "A rebuild takes from the request until there are all replicas and they are on the disks,"
            + " with the second or two until the NameNode and the DataNodes begin. Beside reads it"
            + " begins before they are measured.");
  }
}
