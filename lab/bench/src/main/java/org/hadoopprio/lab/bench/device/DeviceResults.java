// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.Results;

/** Looks up measured values by what was varied. Immutable. */
final class DeviceResults {

  static final String FOREGROUND = "/" + DeviceExperiment.FOREGROUND;
  static final String BACKGROUND = "/" + DeviceExperiment.BACKGROUND;
  static final String ALL = "/" + DeviceExperiment.ALL;

  private static final Pattern PERCENTILE = Pattern.compile("(.*)/p([0-9.]+)_ms");

  private final Results results;
  private final List<PublishedRow> published = new ArrayList<>();

  DeviceResults(List<CellResult> results) {
    this.results = new Results(results);
    for (CellResult result : of(DevicePlan.factors(DevicePlan.CALIBRATION)).all()) {
      result.measured().path("rows").forEach(row -> published.add(PublishedRow.of(row)));
    }
  }

  /** Those of a combination of factors, one for each repetition. */
  private Results of(Map<String, String> factors) {
    return results.of(cell -> cell.factors().equals(factors));
  }

  /**
   * A value over the repetitions.
   *
   * @param pointer below {@code jobs}, such as {@code /foreground/p99_ms}
   * @return empty where the combination was not measured, or has no such value because its job has
   *     read nothing
   */
  Optional<Estimate> estimate(Map<String, String> factors, String pointer) {
    return estimate(factors, pointer, value -> value);
  }

  /** The same of what an operator makes of each value. */
  Optional<Estimate> estimate(
      Map<String, String> factors, String pointer, DoubleUnaryOperator operator) {
    return of(factors).estimate("/jobs" + pointer, operator);
  }

  /** The mean of a value over the repetitions. */
  OptionalDouble mean(Map<String, String> factors, String pointer) {
    return estimate(factors, pointer)
        .map(estimate -> OptionalDouble.of(estimate.mean()))
        .orElse(OptionalDouble.empty());
  }

  /**
   * The same for people; empty where there is none, and {@code -} for a percentile of too few
   * reads.
   */
  String text(Map<String, String> factors, String pointer) {
    return isKnown(factors, pointer) ? text(mean(factors, pointer)) : "-";
  }

  /** Whether a value is no percentile, or one of enough reads or of none. */
  boolean isKnown(Map<String, String> factors, String pointer) {
    Matcher percentile = PERCENTILE.matcher(pointer);
    if (!percentile.matches()) {
      return true;
    }
    OptionalDouble reads = mean(factors, percentile.group(1) + "/n");
    return reads.isEmpty()
        || Numbers.isKnown(Double.parseDouble(percentile.group(2)), reads.getAsDouble());
  }

  static String text(OptionalDouble value) {
    return value.isPresent() ? Numbers.text(value.getAsDouble()) : "";
  }

  /** A percentile of the foreground by that of another combination. */
  Optional<Estimate> ratio(Map<String, String> of, Map<String, String> by, String name) {
    return of(of).ratio(of(by), "/jobs" + FOREGROUND + name);
  }

  /** Those that were measured on the device. */
  List<CellResult> withGate() {
    return results.all().stream()
        .filter(result -> result.measured().has("gate"))
        .collect(Collectors.toList());
  }

  /** The numbers that {@code vhdd calibrate} knows; empty where it was not run. */
  List<PublishedRow> published() {
    return Collections.unmodifiableList(published);
  }
}
