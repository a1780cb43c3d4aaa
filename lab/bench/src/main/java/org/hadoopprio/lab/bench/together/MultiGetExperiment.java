// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.together;

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

/** Rows of HBase that are got at a time, beside streams. */
public final class MultiGetExperiment extends TogetherExperiment<MultiGetSystem> {

  static final String LOAD = "multi-gets";

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
    this(quick ? QUICK_SECONDS : SECONDS, systems, repetitions, directory);
  }

  MultiGetExperiment(int seconds, Set<MultiGetSystem> systems, int repetitions, Path directory) {
    super(List.of(LOAD), MultiGetSystem.class, systems, repetitions);
    this.seconds = seconds;
    this.directory = directory;
  }

  @Override
  public String name() {
    return "multiget";
  }

  @Override
  public String title() {
    return "Rows of HBase that are got at a time, beside streams";
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>(MultiGetBed.settings());
    settings.put("seconds", Integer.toString(seconds));
    return settings;
  }

  @Override
  Measuring<MultiGetSystem> start(StepLog log) throws IOException {
    return MultiGetBed.start(directory, seconds, log);
  }

  @Override
  double expectedSeconds() {
    return StreamsBed.EXTRA_SECONDS + seconds;
  }

  @Override
  void evaluate(Results all, Findings findings) {
    String mean = "/client/mean_ms";
    String p99 = "/client/p99_ms";
    Results together = of(all, LOAD, MultiGetSystem.TOGETHER);
    findings.add(
        Target.of(
            "p99 of multi-gets, order-of-arrival / together",
            Target.Bound.AT_LEAST,
            MIN_GAIN,
            of(all, LOAD, MultiGetSystem.ORDER_OF_ARRIVAL).ratio(together, p99),
            "Rein (Reda et al., EuroSys 2017)"));
    findings.add(
        Target.of(
            "mean of multi-gets, together / each",
            Target.Bound.AT_MOST,
            MAX_MEAN,
            together.ratio(of(all, LOAD, MultiGetSystem.EACH), mean),
            "target of the project"));
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("multi-gets", "/client/reads");
    columns.put("mean ms", mean);
    columns.put("p50 ms", "/client/p50_ms");
    columns.put("p95 ms", "/client/p95_ms");
    columns.put("p99 ms", p99);
    columns.put("longest ms", "/client/max_ms");
    columns.put("streams MB/s", "/streams_mb_per_s");
    addTable(all, findings, "Multi-gets and streams", columns);
    findings.note(
        "The latency of a multi-get counts from the time at which it was due until all its "
            + MultiGetBed.GETS
            + " rows are there. With a latency target ("
            + MultiGetBed.PRIORITY
            + ") it is held while streams want the disk, so it is no shorter than the target"
            + " requires.");
  }
}
