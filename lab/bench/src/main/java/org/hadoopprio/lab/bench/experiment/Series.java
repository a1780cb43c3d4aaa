// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.lab.bench.experiment.report.Figure;

/** Series of figures, from what was measured. */
public final class Series {

  private Series() {}

  /**
   * Adds a series of the points that were measured.
   *
   * @param all the x values, one for each estimate
   */
  public static void addPoints(
      Figure figure,
      String name,
      List<? extends Number> all,
      Stream<Optional<Estimate>> estimates) {
    List<Optional<Estimate>> values = estimates.collect(Collectors.toList());
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    List<Double> error = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i).isPresent()) {
        x.add(all.get(i).doubleValue());
        y.add(values.get(i).get().mean());
        error.add(values.get(i).get().halfWidth());
      }
    }
    if (!x.isEmpty()) {
      figure.series(name, x, y, error);
    }
  }

  /** Adds a series of bars if every value was measured. */
  public static void addBars(Figure figure, String name, Stream<Optional<Estimate>> estimates) {
    List<Optional<Estimate>> values = estimates.collect(Collectors.toList());
    if (values.stream().allMatch(Optional::isPresent)) {
      figure.series(
          name,
          values.stream().map(value -> value.get().mean()).collect(Collectors.toList()),
          values.stream().map(value -> value.get().halfWidth()).collect(Collectors.toList()));
    }
  }

  /** Adds a figure unless it has no series. */
  public static Figure addIfDrawn(Findings findings, Figure figure) {
    if (!figure.series().isEmpty()) {
      findings.add(figure);
    }
    return figure;
  }
}
