package org.hadoopprio.bench.mixed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hadoopprio.bench.experiment.CellResult;
import org.hadoopprio.bench.experiment.Estimate;

/** The results of cells by what was varied. Immutable. */
final class MixedResults {

  private final List<CellResult> all;

  MixedResults(List<CellResult> all) {
    this.all = Collections.unmodifiableList(new ArrayList<>(all));
  }

  List<CellResult> all() {
    return all;
  }

  /** The loads that were measured, in their order. */
  Set<GetLoad> loads() {
    Set<GetLoad> loads = EnumSet.noneOf(GetLoad.class);
    all.forEach(result -> loads.add(MixedPlan.load(result.cell())));
    return loads;
  }

  /** The backgrounds that were measured with a load, in their order. */
  Set<Background> backgrounds(GetLoad load) {
    Set<Background> backgrounds = EnumSet.noneOf(Background.class);
    all.stream()
        .filter(result -> MixedPlan.load(result.cell()) == load)
        .forEach(result -> backgrounds.add(MixedPlan.background(result.cell())));
    return backgrounds;
  }

  /** The repetitions of a combination; the bound's is the same for all backgrounds. */
  private Map<Integer, CellResult> repetitions(
      GetLoad load, Background background, MixedSystem system) {
    Background wanted = system == MixedSystem.BOUND ? Background.NONE : background;
    return all.stream()
        .filter(result -> MixedPlan.load(result.cell()) == load)
        .filter(result -> MixedPlan.background(result.cell()) == wanted)
        .filter(result -> MixedPlan.system(result.cell()) == system)
        .collect(
            Collectors.toMap(
                result -> result.cell().repetition(), r -> r, (a, b) -> b, TreeMap::new));
  }

  /**
   * A figure's mean over the repetitions.
   *
   * @param path see {@link CellResult#number}; repetitions without it are left out
   * @return empty when it was not measured
   */
  Optional<Estimate> estimate(
      GetLoad load, Background background, MixedSystem system, String path) {
    return estimate(
        repetitions(load, background, system).values().stream()
            .filter(result -> result.measured().at(path).isNumber())
            .map(result -> result.number(path))
            .collect(Collectors.toList()));
  }

  /**
   * The ratio of a figure of two systems, taken in each repetition that both have.
   *
   * @return the mean of the ratios; empty when there is none
   */
  Optional<Estimate> ratio(
      GetLoad load, Background background, MixedSystem over, MixedSystem under, String path) {
    Map<Integer, CellResult> dividends = repetitions(load, background, over);
    Map<Integer, CellResult> divisors = repetitions(load, background, under);
    List<Double> ratios = new ArrayList<>();
    dividends.forEach(
        (repetition, dividend) -> {
          CellResult divisor = divisors.get(repetition);
          if (divisor != null) {
            ratios.add(dividend.number(path) / divisor.number(path));
          }
        });
    return estimate(ratios);
  }

  /** The same as a bare number. */
  OptionalDouble ratioMean(
      GetLoad load, Background background, MixedSystem over, MixedSystem under, String path) {
    return ratio(load, background, over, under, path)
        .map(estimate -> OptionalDouble.of(estimate.mean()))
        .orElse(OptionalDouble.empty());
  }

  private static Optional<Estimate> estimate(List<Double> values) {
    return values.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(values));
  }
}
