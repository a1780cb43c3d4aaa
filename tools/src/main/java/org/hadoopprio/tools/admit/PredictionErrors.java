// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.admit;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** How far predictions were from what was measured beside them. */
final class PredictionErrors {

  /** What was measured, and where. */
  static final String SOURCE =
      "HBase Gets beside 16 streams, a virtual drive without priority, latencies at the client";

  /**
   * One run of {@code bench mixed --conditions open,open60 --systems host,within-100ms --seconds 40
   * --repeat 1}, gate held: 18 and 60 Gets a second, at once and within 100 ms. Predicted was from
   * what the DataNode had measured in each, with the second reads that it had, 3 to 4 % of the
   * Gets.
   */
  static final List<Pair> PAIRS =
      List.of(
          new Pair("rt:0", 18, 124, 110, 32.0, 39.5),
          new Pair("rt:0@100ms", 18, 136, 124, 105, 130),
          new Pair("rt:0", 60, 63.8, 44.0, 50.9, 56.4),
          new Pair("rt:0@100ms", 60, 78.5, 68.7, 103, 137));

  private static final double PERCENT = 0.01;

  private PredictionErrors() {}

  /** A load, what was predicted for it, and what was measured. Immutable. */
  static final class Pair {
    private final String priority;
    private final double perSecond;
    private final double predictedRate;
    private final double measuredRate;
    private final double predictedP99;
    private final double measuredP99;

    private Pair(
        String priority,
        double perSecond,
        double predictedRate,
        double measuredRate,
        double predictedP99,
        double measuredP99) {
      this.priority = priority;
      this.perSecond = perSecond;
      this.predictedRate = predictedRate;
      this.measuredRate = measuredRate;
      this.predictedP99 = predictedP99;
      this.measuredP99 = measuredP99;
    }

    /** That of the short reads. */
    @JsonProperty
    String priority() {
      return priority;
    }

    /** How many of them arrived in a second. */
    @JsonProperty
    double perSecond() {
      return perSecond;
    }

    /** What was predicted for all streams together. */
    @JsonProperty
    double predictedStreamsMegabytesPerSecond() {
      return predictedRate;
    }

    @JsonProperty
    double measuredStreamsMegabytesPerSecond() {
      return measuredRate;
    }

    @JsonProperty
    double predictedP99Millis() {
      return predictedP99;
    }

    @JsonProperty
    double measuredP99Millis() {
      return measuredP99;
    }

    /** By what part of the measured rate the predicted one is more; negative: less. */
    private double rateError() {
      return predictedRate / measuredRate - 1;
    }

    private double p99Error() {
      return predictedP99 / measuredP99 - 1;
    }
  }

  /** For people: the errors of all pairs, in a sentence. */
  static String inWords() {
    return "measured: in "
        + PAIRS.size()
        + " cells ("
        + SOURCE
        + ") predictions were off by "
        + range(Pair::rateError)
        + " in the streams' MB/s and by "
        + range(Pair::p99Error)
        + " in the p99 of reads";
  }

  /** From the lowest error to the highest one, in percent. */
  private static String range(ToDoubleFunction<Pair> error) {
    return String.format(
        Locale.ROOT,
        "%+.0f to %+.0f %%",
        errors(error).min().orElseThrow() / PERCENT,
        errors(error).max().orElseThrow() / PERCENT);
  }

  private static DoubleStream errors(ToDoubleFunction<Pair> error) {
    return PAIRS.stream().mapToDouble(error);
  }
}
