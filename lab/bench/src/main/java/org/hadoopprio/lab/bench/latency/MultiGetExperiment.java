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

/** Rows of HBase that are got at a time, beside streams. */
public final class MultiGetExperiment extends SystemsExperiment<MultiGetSystem> {

  static final String MULTI_GETS = "multi-gets";

  /** How many times lower the 99th percentile must be than in the order of arrival. */
  static final double MIN_GAIN = 1.9;

  /** The mean, as a part of that where each read has its own deadline: 42 % lower. */
  static final double MAX_MEAN = 0.58;

  private static final int SECONDS = 120;
  private static final int QUICK_SECONDS = 30;

  private final int seconds;
  private final Path directory;

  /**
   * The experiment.
   *
   * @param quick short windows
   * @param directory for the cluster
   */
  public MultiGetExperiment(
      boolean quick, Set<MultiGetSystem> systems, int repetitions, Path directory) {
    super(
        "latency-multigets",
        "Rows of HBase that are got at a time, beside streams",
        List.of(MULTI_GETS),
        systems,
        repetitions);
    this.seconds = quick ? QUICK_SECONDS : SECONDS;
    this.directory = directory;
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(MultiGetBed.settings());
    settings.put("seconds", Integer.toString(seconds));
    return settings;
  }

  @Override
  protected MultiGetBed start(StepLog log) throws IOException {
    return MultiGetBed.start(directory, seconds, log);
  }

  @Override
  protected double expectedSeconds(String condition) {
    return ClientBed.EXTRA_SECONDS + seconds;
  }

  @Override
  protected void evaluate(Results all, Findings findings) {
    Results together = of(all, MULTI_GETS, MultiGetSystem.TOGETHER);
    findings.add(
        Target.of(
            "p99 of multi-gets, order-of-arrival / together",
            Target.Bound.AT_LEAST,
            MIN_GAIN,
            of(all, MULTI_GETS, MultiGetSystem.ORDER_OF_ARRIVAL).ratio(together, "/client/p99_ms"),
            "Rein (Reda et al., EuroSys 2017)"));
    findings.add(
        ownTarget(
            "mean of multi-gets, together / each",
            Target.Bound.AT_MOST,
            MAX_MEAN,
            together,
            of(all, MULTI_GETS, MultiGetSystem.EACH),
            "/client/mean_ms"));
    addTable(
        all, findings, "Multi-gets and streams", "multi-gets", "streams MB/s", "/own/mb_per_s");
    findings.note(
        "The latency of a multi-get counts from the time at which it was due until all its "
            + MultiGetBed.GETS
            + " rows are there. With a latency target ("
            + MultiGetBed.PRIORITY
            + ") it is held while streams want the disk, so it is no shorter than the target"
            + " requires.");
  }
}
