// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.SystemsExperiment;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.disk.ReadAhead;

/** Reads while one of three disks is slow or hangs, without a remedy and with two of them. */
public final class FaultsExperiment extends SystemsExperiment<FaultsSystem> {

  /** How much lower the 95th percentile must be than that of hedged reads. */
  static final double MAX_OF_HEDGED = 0.65;

  /** What the disks read for a client, as a multiple of what they read when nothing is wrong. */
  static final double MAX_DISK_READS = 1.01;

  private static final int SECONDS = 30;
  private static final int QUICK_SECONDS = 12;
  private static final String DISK_READS = "/disk_reads";
  private static final String MITTOS = "MittOS (SOSP'17): up to 35 % below wait-then-speculate";

  private final int seconds;
  private final Path directory;

  /**
   * The experiment.
   *
   * @param quick short measurements
   * @param directory for the cluster
   */
  public FaultsExperiment(
      boolean quick, Set<FaultsSystem> systems, int repetitions, Path directory) {
    super(
        "latency-faults",
        "Reads with a latency target while one of three disks is slow or hangs",
        Arrays.stream(Fault.values()).map(EnumNames::text).collect(Collectors.toList()),
        systems,
        repetitions);
    this.seconds = quick ? QUICK_SECONDS : SECONDS;
    this.directory = directory;
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(
        ReadAhead.SETTING,
        Integer.toString(ReadAhead.byDefault().kib()),
        "seconds",
        Integer.toString(seconds),
        "files",
        Integer.toString(FaultsBed.FILES),
        "reads-per-second",
        Integer.toString(FaultsBed.READS_PER_SECOND),
        "read-bytes",
        Integer.toString(FaultsBed.READ_BYTES),
        "priority",
        FaultsSystem.PRIORITY,
        "slow",
        Fault.SLOW.overhead());
  }

  @Override
  protected FaultsBed start(StepLog log) throws IOException {
    return FaultsBed.start(directory, seconds, log);
  }

  @Override
  protected double expectedSeconds(String condition) {
    return ClientBed.EXTRA_SECONDS + seconds;
  }

  @Override
  protected void evaluate(Results all, Findings findings) {
    for (Fault fault : List.of(Fault.SLOW, Fault.HUNG)) {
      String condition = EnumNames.text(fault);
      Results ours = of(all, condition, FaultsSystem.TARGETS);
      findings.add(
          Target.of(
              condition + " disk: p95 with targets / with hedged reads",
              Target.Bound.AT_MOST,
              MAX_OF_HEDGED,
              ours.ratio(of(all, condition, FaultsSystem.HEDGED), "/client/p95_ms"),
              MITTOS));
      findings.add(
          ownTarget(
              condition
                  + " disk: disk reads for each of the client's, with targets / nothing wrong",
              Target.Bound.AT_MOST,
              MAX_DISK_READS,
              ours,
              of(all, EnumNames.text(Fault.NONE), FaultsSystem.TARGETS),
              DISK_READS));
    }
    addTable(all, findings, "Reads", "reads", "disk reads each", DISK_READS, "refused", "/refused");
    findings.note(
        "The latency of a read counts from the time at which it was due. Hedged reads ask another"
            + " DataNode after the 95th percentile of stock reads when nothing is wrong, measured"
            + " before. Disk reads are those that the three drives have answered, for each read of"
            + " the client. A drive that hangs answers when the measurement has ended.");
  }
}
