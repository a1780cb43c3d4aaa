// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;

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
    List<Double> values = new ArrayList<>();
    for (CellResult result : all) {
      if (result.measured().at(path).isNumber()) {
        values.add(operator.applyAsDouble(result.number(path)));
      }
    }
    return values.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(values));
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
    List<Double> ratios = new ArrayList<>();
    for (CellResult result : all) {
      Results pair = divisors.of(cell -> cell.repetition() == result.cell().repetition());
      double divisor = pair.estimate(divisorPath).map(Estimate::mean).orElse(0.0);
      if (divisor != 0 && result.measured().at(path).isNumber()) {
        ratios.add(result.number(path) / divisor);
      }
    }
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(ratios));
  }
}
