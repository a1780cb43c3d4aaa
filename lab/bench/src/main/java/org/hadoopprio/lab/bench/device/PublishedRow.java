// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A published number and the model's in virtual time, a row of {@code vhdd calibrate}. Immutable.
 */
final class PublishedRow {

  final String source;
  final String what;
  final String unit;

  /** NaN if it is not published. */
  final double published;

  /** Whether there is a number for a drive that is named. */
  final boolean isPublished;

  /** What the model gives in virtual time. */
  final double model;

  /** Whether it is one that the model is required to reproduce. */
  final boolean gated;

  /** The relative deviation that still counts as reproduced; NaN where {@link #least} counts. */
  final double tolerance;

  /** The least value that counts as reproduced; NaN where {@link #tolerance} counts. */
  final double least;

  private PublishedRow(JsonNode row) {
    source = text(row, "source");
    what = text(row, "what");
    unit = text(row, "unit");
    model = number(row, "ours");
    gated = row.path("gated").asBoolean();
    isPublished = row.path("is_published").asBoolean(true);
    published = isPublished ? number(row, "published") : Double.NaN;
    least = row.path("at_least").asDouble(Double.NaN);
    tolerance = isPublished && Double.isNaN(least) ? number(row, "tolerance") : Double.NaN;
    if (gated && !isPublished) {
      throw hole(row, "published", "a number where a row is gated");
    }
  }

  /**
   * A row of the calibration.
   *
   * @throws IllegalArgumentException if something is missing, saying which row and what
   */
  static PublishedRow of(JsonNode row) {
    return new PublishedRow(row);
  }

  private static String text(JsonNode row, String field) {
    String text = row.path(field).asText();
    if (text.isEmpty()) {
      throw hole(row, field, "a text");
    }
    return text;
  }

  private static double number(JsonNode row, String field) {
    if (!row.path(field).isNumber()) {
      throw hole(row, field, "a number");
    }
    return row.path(field).doubleValue();
  }

  private static IllegalArgumentException hole(JsonNode row, String field, String allowed) {
    return new IllegalArgumentException(
        String.format(
            "calibration, row \"%s\": \"%s\" is %s; allowed is %s",
            row.path("what").asText(), field, row.path(field), allowed));
  }

  /** How far a value is from the published one, as a share of it. */
  double deviation(double value) {
    return Math.abs(value / published - 1);
  }

  boolean reproduced(double value) {
    return Double.isNaN(least) ? deviation(value) <= tolerance : value >= least;
  }
}
