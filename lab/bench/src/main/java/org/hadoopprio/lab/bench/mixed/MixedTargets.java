package org.hadoopprio.lab.bench.mixed;

import static org.hadoopprio.lab.bench.mixed.MixedPlan.MAIN;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.BOUND;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.FULL;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.HOST;
import static org.hadoopprio.lab.bench.mixed.MixedSystem.STOCK;

import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.Target.Bound;

/** What the experiment must show. */
final class MixedTargets {

  static final String MEAN = "/gets/mean_ms";
  static final String P95 = "/gets/p95_ms";
  static final String BACKGROUND = "/background/bytes_per_second";

  private static final String OPEN_SOURCE = "main gate: open loop beside 16 streams";
  private static final String CLOSED_SOURCE =
      "closed loop beside 16 streams, real-time share 1.0, as in HotCloud 2013, figure 4";

  private final MixedResults results;
  private final List<Target> targets = new ArrayList<>();

  private MixedTargets(MixedResults results) {
    this.results = results;
  }

  static List<Target> of(MixedResults results) {
    MixedTargets targets = new MixedTargets(results);
    targets.addOpen();
    targets.addClosed(GetLoad.CLOSED1, 8, 10);
    targets.addClosed(GetLoad.CLOSED4, 5, 6);
    targets.addClosed(GetLoad.CLOSED16, 2, 1.7);
    targets.addNearBound(GetLoad.CLOSED4);
    targets.addNearBound(GetLoad.CLOSED16);
    return targets.targets;
  }

  private void addOpen() {
    GetLoad load = GetLoad.OPEN;
    add("Gets' mean, stock / full", Bound.AT_LEAST, 8, load, STOCK, FULL, MEAN, OPEN_SOURCE);
    add("Gets' p95, stock / full", Bound.AT_LEAST, 12, load, STOCK, FULL, P95, OPEN_SOURCE);
    add(
        "Gets' p95, host scheduler only / full",
        Bound.AT_LEAST,
        2,
        load,
        HOST,
        FULL,
        P95,
        OPEN_SOURCE);
    add("Gets' mean, full / bound", Bound.AT_MOST, 1.5, load, FULL, BOUND, MEAN, OPEN_SOURCE);
    add(
        "background's throughput, full / stock",
        Bound.AT_LEAST,
        0.85,
        load,
        FULL,
        STOCK,
        BACKGROUND,
        OPEN_SOURCE);
  }

  private void addClosed(GetLoad load, double mean, double p95) {
    String prefix = load.label() + ": Gets' ";
    add(
        prefix + "mean, stock / full",
        Bound.AT_LEAST,
        mean,
        load,
        STOCK,
        FULL,
        MEAN,
        CLOSED_SOURCE);
    add(prefix + "p95, stock / full", Bound.AT_LEAST, p95, load, STOCK, FULL, P95, CLOSED_SOURCE);
  }

  private void addNearBound(GetLoad load) {
    String prefix = load.label() + ": Gets' ";
    add(prefix + "mean, full / bound", Bound.AT_MOST, 1.1, load, FULL, BOUND, MEAN, CLOSED_SOURCE);
    add(prefix + "p95, full / bound", Bound.AT_MOST, 1.1, load, FULL, BOUND, P95, CLOSED_SOURCE);
  }

  private void add(
      String what,
      Bound bound,
      double required,
      GetLoad load,
      MixedSystem over,
      MixedSystem under,
      String path,
      String source) {
    targets.add(
        Target.of(what, bound, required, results.ratio(load, MAIN, over, under, path), source));
  }
}
