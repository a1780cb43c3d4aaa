package org.hadoopprio.lab.bench.device;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A published number and the model's in virtual time, a row of {@code vhdd calibrate}. Immutable.
 */
final class PublishedRow {

  final String source;
  final String what;
  final String unit;
  final double published;

  /** What the model gives in virtual time. */
  final double model;

  /** Whether it is one that the model is required to reproduce. */
  final boolean gated;

  /** The relative deviation that still counts as reproduced; NaN where {@link #least} counts. */
  final double tolerance;

  /** The least value that counts as reproduced; NaN where {@link #tolerance} counts. */
  final double least;

  private PublishedRow(JsonNode row) {
    source = row.path("source").asText();
    what = row.path("what").asText();
    unit = row.path("unit").asText();
    published = row.path("published").asDouble();
    model = row.path("ours").asDouble();
    gated = row.path("gated").asBoolean();
    tolerance = row.path("tolerance").asDouble(Double.NaN);
    least = row.path("at_least").asDouble(Double.NaN);
  }

  static PublishedRow of(JsonNode row) {
    return new PublishedRow(row);
  }

  /** How far a value is from the published one, as a share of it. */
  double deviation(double value) {
    return Math.abs(value / published - 1);
  }

  boolean reproduced(double value) {
    return Double.isNaN(least) ? deviation(value) <= tolerance : value >= least;
  }
}
