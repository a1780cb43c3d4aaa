// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of cells, looked up by what was varied. Immutable. */
public final class Results {

  private final List<CellResult> all;

  public Results(List<CellResult> all) {
    this.all = List.copyOf(all);
  }

  public List<CellResult> all() {
    return all;
  }

  /** The results of some cells, such as the repetitions of one combination. */
  public Results of(Predicate<Cell> wanted) {
    return new Results(
        all.stream().filter(result -> wanted.test(result.cell())).collect(Collectors.toList()));
  }

  /**
   * The mean of a number over these results.
   *
   * @param path see {@link CellResult#number}; results without it are left out
   * @return empty if none has it
   */
  public Optional<Estimate> estimate(String path) {
    return estimate(path, value -> value);
  }

  /** The mean of what an operator makes of a number; see {@link #estimate(String)}. */
  public Optional<Estimate> estimate(String path, DoubleUnaryOperator operator) {
    return mean(
        all.stream()
            .filter(result -> result.measured().at(path).isNumber())
            .map(result -> operator.applyAsDouble(result.number(path))));
  }

  /**
   * The mean ratio of a number to that of others, taken in each repetition that both have.
   *
   * @param divisors one result for each repetition; those that are 0 are left out
   * @return empty if there is no such pair
   */
  public Optional<Estimate> ratio(Results divisors, String path) {
    return ratio(path, divisors, path);
  }

  /** The same where the divisor is another number. */
  public Optional<Estimate> ratio(String path, Results divisors, String divisorPath) {
    return mean(
        all.stream().flatMap(result -> ratio(result, path, divisors, divisorPath).stream()));
  }

  /**
   * The mean of a sum: of numbers, each divided by the same number of others, in each repetition
   * that has all of them.
   *
   * @param divisors by the numbers' paths; see {@link #ratio(Results, String)}
   */
  public Optional<Estimate> sumOfRatios(Map<String, Results> divisors) {
    List<Double> sums = new ArrayList<>();
    for (CellResult result : all) {
      List<Double> ratios = new ArrayList<>();
      divisors.forEach((path, others) -> ratio(result, path, others, path).ifPresent(ratios::add));
      if (ratios.size() == divisors.size()) {
        sums.add(ratios.stream().mapToDouble(Double::doubleValue).sum());
      }
    }
    return mean(sums.stream());
  }

  private static Optional<Double> ratio(
      CellResult result, String path, Results divisors, String divisorPath) {
    Results pair = divisors.of(cell -> cell.repetition() == result.cell().repetition());
    double divisor = pair.estimate(divisorPath).map(Estimate::mean).orElse(0.0);
    return divisor != 0 && result.measured().at(path).isNumber()
        ? Optional.of(result.number(path) / divisor)
        : Optional.empty();
  }

  private static Optional<Estimate> mean(Stream<Double> values) {
    List<Double> all = values.collect(Collectors.toList());
    return all.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(all));
  }
}
