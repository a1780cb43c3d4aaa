// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.bench.experiment.SystemsExperiment;
import org.hadoopprio.lab.bench.experiment.Target;

/** Outputs that a user is shown at a rate, each of several reads, beside streams. */
public final class OutputsExperiment extends SystemsExperiment<OutputsSystem> {

  /** Outputs a second, at which real-time reads want about half of the disk. */
  static final int RATE = 5;

  private static final String CONDITION = RATE + "-per-s";

  /** The part of the required outputs that must be there in time: all. */
  static final double MIN_IN_TIME = 1;

  /** What the disk must do, as a multiple of what it does where each read has its own deadline. */
  static final double MIN_EFFICIENCY = 1.8;

  private static final String PAPER = "intelliQoS (Zhang et al., 2012)";

  private static final int SECONDS = 30;
  private static final int QUICK_SECONDS = 15;

  private final int seconds;
  private final Path directory;

  /**
   * The experiment.
   *
   * @param quick short windows
   * @param directory for the cluster
   */
  public OutputsExperiment(
      boolean quick, Set<OutputsSystem> systems, int repetitions, Path directory) {
    super(
        "latency-outputs",
        "Outputs that a user waits for, of several reads each, beside streams",
        List.of(CONDITION),
        systems,
        repetitions);
    this.seconds = quick ? QUICK_SECONDS : SECONDS;
    this.directory = directory;
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(OutputsBed.settings());
    settings.put("rate", Integer.toString(RATE));
    settings.put("seconds", Integer.toString(seconds));
    return settings;
  }

  @Override
  protected OutputsBed start(StepLog log) throws IOException {
    return OutputsBed.start(directory, seconds, log);
  }

  @Override
  protected double expectedSeconds(String condition) {
    return ClientBed.EXTRA_SECONDS + seconds;
  }

  @Override
  protected void evaluate(Results all, Findings findings) {
    String inTime = "/client/in_time_per_s";
    String shown = "/client/reads_per_s";
    String throughput = "/disk_mb_per_s";
    Results containers = of(all, CONDITION, OutputsSystem.CONTAINERS);
    findings.add(
        Target.of(
            "outputs in time with containers / required",
            Target.Bound.AT_LEAST,
            MIN_IN_TIME,
            containers.estimate(inTime, value -> value / RATE),
            PAPER));
    findings.add(
        Target.of(
            "throughput of the disk, containers / own-deadlines",
            Target.Bound.AT_LEAST,
            MIN_EFFICIENCY,
            containers.ratio(of(all, CONDITION, OutputsSystem.OWN_DEADLINES), throughput),
            PAPER));
    addTable(
        all,
        findings,
        "Outputs and streams",
        "outputs",
        "outputs/s",
        shown,
        "in time/s",
        inTime,
        "streams MB/s",
        "/own/mb_per_s",
        "disk MB/s",
        throughput);
    findings.note(
        "An output needs "
            + OutputsBed.READS
            + " reads of "
            + (OutputsBed.READ_BYTES >> 10)
            + " KiB, one after the other. It is in time if it is there when the next one is due.");
  }
}
