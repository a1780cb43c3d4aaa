// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Results;

/** The results of cells by what was varied. Immutable. */
final class MixedResults {

  private final Results results;

  MixedResults(List<CellResult> all) {
    this.results = new Results(all);
  }

  List<CellResult> all() {
    return results.all();
  }

  /** The loads that were measured, in their order. */
  Set<GetLoad> loads() {
    Set<GetLoad> loads = EnumSet.noneOf(GetLoad.class);
    all().forEach(result -> loads.add(MixedPlan.load(result.cell())));
    return loads;
  }

  /** The backgrounds that were measured with a load, in their order. */
  Set<Background> backgrounds(GetLoad load) {
    Set<Background> backgrounds = EnumSet.noneOf(Background.class);
    all().stream()
        .filter(result -> MixedPlan.load(result.cell()) == load)
        .forEach(result -> backgrounds.add(MixedPlan.background(result.cell())));
    return backgrounds;
  }

  /** The repetitions of a combination; the bound's is the same for all backgrounds. */
  Results of(GetLoad load, Background background, MixedSystem system) {
    Background wanted = system.alone() ? Background.NONE : background;
    return results.of(
        cell ->
            MixedPlan.load(cell) == load
                && MixedPlan.background(cell) == wanted
                && MixedPlan.system(cell) == system);
  }

  /** A figure's mean over the repetitions; see {@link Results#estimate}. */
  Optional<Estimate> estimate(
      GetLoad load, Background background, MixedSystem system, String path) {
    return of(load, background, system).estimate(path);
  }

  /** The ratio of a figure of two systems; see {@link Results#ratio}. */
  Optional<Estimate> ratio(
      GetLoad load, Background background, MixedSystem over, MixedSystem under, String path) {
    return of(load, background, over).ratio(of(load, background, under), path);
  }
}
