// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.top;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import org.hadoopprio.metrics.ClassStatus;

/**
 * What the reads of one class did at one volume in an interval: the difference of two {@link
 * ClassStatus}. Immutable.
 */
final class ClassUse {

  private final long diskMillis;
  private final long waits;
  private final long waitMillis;
  private final int waiting;

  ClassUse(JsonNode before, JsonNode after) {
    this.diskMillis = growth(before, after, "diskMillis");
    this.waits = growth(before, after, "waits");
    this.waitMillis = growth(before, after, "waitMillis");
    this.waiting = after.path("waiting").asInt();
  }

  /** How much a counter has grown; 0 if it went back because the DataNode was restarted. */
  static long growth(JsonNode before, JsonNode after, String counter) {
    return Math.max(0, after.path(counter).asLong() - before.path(counter).asLong());
  }

  /** The disk time used, in milliseconds. */
  @JsonProperty
  long diskMillis() {
    return diskMillis;
  }

  /** Waits that ended in the interval. */
  @JsonProperty
  long waits() {
    return waits;
  }

  /** Their total length in milliseconds, parts before the interval included. */
  @JsonProperty
  long waitMillis() {
    return waitMillis;
  }

  /** Reads that waited at the end of the interval. */
  @JsonProperty
  int waiting() {
    return waiting;
  }
}
