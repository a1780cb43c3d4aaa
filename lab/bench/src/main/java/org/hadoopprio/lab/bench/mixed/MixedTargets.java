// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import static org.hadoopprio.lab.bench.experiment.Target.Bound.AT_LEAST;
import static org.hadoopprio.lab.bench.experiment.Target.Bound.AT_MOST;
import static org.hadoopprio.lab.bench.mixed.GetLoad.OPEN;
import static org.hadoopprio.lab.bench.mixed.MixedPlan.MAIN;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.BOUND;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.FULL;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.FULL_LOCAL;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.HOST;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.HOST_LOCAL;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.LEVELS;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.STOCK;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.STOCK_LOCAL;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.WITHIN_100MS;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.Target.Bound;

/** What the experiment must show. */
final class MixedTargets {

  static final String MEAN = "/gets/mean_ms";
  static final String P95 = "/gets/p95_ms";
  static final String P99 = "/gets/p99_ms";
  static final String BACKGROUND = "/background/bytes_per_second";

  static final String LONGEST_WAIT = "/background/longest_wait_ms";

  private static final String OPEN_SOURCE = "main gate: open loop beside 16 streams";
  private static final String JOB_SOURCE = "open loop beside a MapReduce job";
  private static final String PAPER_SOURCE =
      "HotCloud 2013, figure 4: over 2 times in the mean, about 5 times at p95";
  private static final String TARGET_SOURCE = "open loop beside 16 streams, drive without priority";

  private final MixedResults results;
  private final List<Target> targets = new ArrayList<>();

  private MixedTargets(MixedResults results) {
    this.results = results;
  }

  static List<Target> of(MixedResults results) {
    MixedTargets targets = new MixedTargets(results);
    targets.addOpen();
    targets.addWithin(GetLoad.OPEN, 1.15);
    targets.addWithin(GetLoad.OPEN60, 1.6);
    targets.addLevels();
    return targets.targets;
  }

  private void addOpen() {
    String gets = "Gets' ";
    add(gets + "mean, stock / full", AT_LEAST, 8, OPEN, MAIN, STOCK, FULL, MEAN, OPEN_SOURCE);
    add(gets + "p95, stock / full", AT_LEAST, 12, OPEN, MAIN, STOCK, FULL, P95, OPEN_SOURCE);
    add(gets + "mean, stock / host", AT_LEAST, 2, OPEN, MAIN, STOCK, HOST, MEAN, PAPER_SOURCE);
    add(gets + "p95, stock / host", AT_LEAST, 5, OPEN, MAIN, STOCK, HOST, P95, PAPER_SOURCE);
    addOpen(HOST, STOCK, 1.35, 1.4);
    addOpen(FULL, STOCK, 1.2, 1.25);
    addOpen(HOST_LOCAL, STOCK_LOCAL, 1.35, 1.4);
    addOpen(FULL_LOCAL, STOCK_LOCAL, 1.2, 1.25);
    for (Background job : List.of(Background.WORDCOUNT, Background.ROWCOUNTER)) {
      addJob(HOST, job);
      addJob(FULL, job);
    }
  }

  /**
   * Gets near what they are alone, and streams near what Gets leave them of the disk, which is not
   * measured with short circuit.
   */
  private void addOpen(MixedSystem system, MixedSystem stock, double mean, double p95) {
    MixedSystem bound = system.withoutBackground();
    String name = EnumNames.text(system);
    String gets = "Gets' ";
    String toBound = ", " + name + " / " + EnumNames.text(bound);
    String toStock = ", " + name + " / " + EnumNames.text(stock);
    add(gets + "mean" + toBound, AT_MOST, mean, OPEN, MAIN, system, bound, MEAN, OPEN_SOURCE);
    add(gets + "p95" + toBound, AT_MOST, p95, OPEN, MAIN, system, bound, P95, OPEN_SOURCE);
    if (!system.local()) {
      String background = "background's throughput, " + name + " / what Gets leave of the disk";
      Optional<Estimate> part = StreamsBound.ratio(results, system);
      targets.add(Target.of(background, AT_LEAST, 0.95, part, OPEN_SOURCE));
    }
    String wait = "a stream's longest wait" + toStock;
    add(wait, AT_MOST, 1, OPEN, MAIN, system, stock, LONGEST_WAIT, OPEN_SOURCE);
  }

  /**
   * Gets that have time, against their target, and what their streams get against {@link
   * MixedSystem#HOST}.
   */
  private void addWithin(GetLoad load, double backgroundOf100Ms) {
    for (MixedSystem system : MixedSystem.withTarget()) {
      int millis = system.targetMillis();
      String gets = load.label() + ": Gets' p99 / target of " + millis + " ms";
      results
          .estimate(load, MAIN, system, P99)
          .map(p99 -> Optional.of(p99.times(1.0 / millis)))
          .ifPresent(ratio -> targets.add(Target.of(gets, AT_MOST, 1.5, ratio, TARGET_SOURCE)));
    }
    if (results.estimate(load, MAIN, WITHIN_100MS, P99).isPresent()) {
      String streams = load.label() + ": background's throughput, within-100ms / host";
      add(
          streams,
          AT_LEAST,
          backgroundOf100Ms,
          load,
          MAIN,
          WITHIN_100MS,
          HOST,
          BACKGROUND,
          TARGET_SOURCE);
    }
  }

  private void addLevels() {
    for (int i = 0; i < MixedSystem.SERVICE_LEVELS.size(); i++) {
      IoPriority level = MixedSystem.SERVICE_LEVELS.get(i);
      results
          .estimate(GetLoad.OPEN60, MAIN, LEVELS, "/levels/" + i + "/p99_ms")
          .map(p99 -> Optional.of(p99.times(1.0 / level.targetMillis())))
          .ifPresent(
              ratio ->
                  targets.add(
                      Target.of(
                          "four service levels: p99 of " + level + " / its target",
                          AT_MOST,
                          1.2,
                          ratio,
                          TARGET_SOURCE)));
    }
  }

  private void addJob(MixedSystem system, Background job) {
    String name = EnumNames.text(system);
    String p95 = job.label() + ": Gets' p95, " + name + " / bound";
    add(p95, AT_MOST, 1.5, OPEN, job, system, BOUND, P95, JOB_SOURCE);
    String background = job.label() + ": the job's throughput, " + name + " / stock";
    add(background, AT_LEAST, 1, OPEN, job, system, STOCK, BACKGROUND, JOB_SOURCE);
  }

  private void add(
      String what,
      Bound bound,
      double required,
      GetLoad load,
      Background background,
      MixedSystem over,
      MixedSystem under,
      String path,
      String source) {
    Optional<Estimate> ratio = results.ratio(load, background, over, under, path);
    targets.add(Target.of(what, bound, required, ratio, source));
  }
}
