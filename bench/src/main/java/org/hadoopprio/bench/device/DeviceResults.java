package org.hadoopprio.bench.device;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.hadoopprio.bench.experiment.CellResult;
import org.hadoopprio.bench.experiment.Estimate;
import org.hadoopprio.bench.experiment.Numbers;

/** Looks up measured values by what was varied. Immutable. */
final class DeviceResults {

  static final String FOREGROUND = "/" + DeviceExperiment.FOREGROUND;
  static final String BACKGROUND = "/" + DeviceExperiment.BACKGROUND;
  static final String ALL = "/" + DeviceExperiment.ALL;

  private final List<CellResult> results;
  private final List<PublishedRow> published = new ArrayList<>();

  DeviceResults(List<CellResult> results) {
    this.results = List.copyOf(results);
    for (CellResult result : of(DevicePlan.factors(DevicePlan.CALIBRATION))) {
      result.measured().path("rows").forEach(row -> published.add(PublishedRow.of(row)));
    }
  }

  /** Those of a combination of factors, one for each repetition. */
  private List<CellResult> of(Map<String, String> factors) {
    return results.stream()
        .filter(result -> result.cell().factors().equals(factors))
        .collect(Collectors.toList());
  }

  /**
   * A value over the repetitions.
   *
   * @param pointer below {@code jobs}, such as {@code /foreground/p99_ms}
   * @return empty where the combination was not measured, or has no such value because its job has
   *     read nothing
   */
  Optional<Estimate> estimate(Map<String, String> factors, String pointer) {
    List<Double> values =
        of(factors).stream()
            .filter(result -> result.measured().at("/jobs" + pointer).isNumber())
            .map(result -> result.number("/jobs" + pointer))
            .collect(Collectors.toList());
    return values.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(values));
  }

  /** The mean of a value over the repetitions. */
  OptionalDouble mean(Map<String, String> factors, String pointer) {
    return estimate(factors, pointer)
        .map(estimate -> OptionalDouble.of(estimate.mean()))
        .orElse(OptionalDouble.empty());
  }

  /** The same for people; empty where there is none. */
  String text(Map<String, String> factors, String pointer) {
    return text(mean(factors, pointer));
  }

  static String text(OptionalDouble value) {
    return value.isPresent() ? Numbers.text(value.getAsDouble()) : "";
  }

  /** A percentile of the foreground by that of another combination. */
  OptionalDouble ratio(Map<String, String> of, Map<String, String> by, String name) {
    OptionalDouble above = mean(of, FOREGROUND + name);
    OptionalDouble below = mean(by, FOREGROUND + name);
    return above.isPresent() && below.isPresent()
        ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
        : OptionalDouble.empty();
  }

  /** Those that were measured on the device. */
  List<CellResult> withGate() {
    return results.stream()
        .filter(result -> result.measured().has("gate"))
        .collect(Collectors.toList());
  }

  /** The numbers that {@code vhdd calibrate} knows; empty where it was not run. */
  List<PublishedRow> published() {
    return Collections.unmodifiableList(published);
  }
}
