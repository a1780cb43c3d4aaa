// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Results;

/** What the figure of a {@link Column} is divided by, in each repetition that has both. */
sealed interface Divisor {

  /** The mean of the ratio; empty if nothing of it was measured. */
  Optional<Estimate> ratio(Column column, String system, Measured measured);

  /** The loads of whose figures it is made, beside those of the column. */
  default List<String> loads() {
    return List.of();
  }

  /** Another figure of the same measurement. */
  record OtherFigure(String load, String figure) implements Divisor {
    @Override
    public Optional<Estimate> ratio(Column column, String system, Measured measured) {
      Results own = measured.with(system);
      return own.ratio(column.path(), own, Column.path(load, figure));
    }

    @Override
    public List<String> loads() {
      return List.of(load);
    }
  }

  /** The same figure of another system. */
  record OtherSystem(String name) implements Divisor {
    @Override
    public Optional<Estimate> ratio(Column column, String system, Measured measured) {
      return measured.with(system).ratio(measured.with(name), column.path());
    }
  }

  /**
   * The equal part of what a load has alone with the same system, as one of those that run: the
   * ratio is the R-value of Wachs et al., <cite>Argon</cite>, FAST 2007, for equal weights. For all
   * loads together it is the sum of what they have, each by what it has alone: below 1, to have one
   * disk together costs.
   */
  record Part() implements Divisor {

    /** How a plan names it. */
    static final String NAME = "part";

    @Override
    public Optional<Estimate> ratio(Column column, String system, Measured measured) {
      List<String> all = measured.loads(system);
      boolean ofAll = column.load().equals(Column.ALL);
      Map<String, Results> alone = new LinkedHashMap<>();
      for (String load : ofAll ? all : List.of(column.load())) {
        alone.put(Column.path(load, column.figure()), measured.alone(load, system));
      }
      return all.size() < 2
          ? Optional.empty()
          : measured
              .with(system)
              .sumOfRatios(alone)
              .map(sum -> ofAll ? sum : sum.times(all.size()));
    }
  }
}
