// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.top;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import org.hadoopprio.metrics.ClassStatus;

/**
 * What the requests of one class, or of one tenant, did at one volume in an interval: the
 * difference of two {@link ClassStatus}, or of what has the same attributes. Immutable.
 */
class ClassUse {

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
  final long diskMillis() {
    return diskMillis;
  }

  /** Waits that ended in the interval. */
  @JsonProperty
  final long waits() {
    return waits;
  }

  /** Their total length in milliseconds, parts before the interval included. */
  @JsonProperty
  final long waitMillis() {
    return waitMillis;
  }

  /** Those that waited at the end of the interval. */
  @JsonProperty
  final int waiting() {
    return waiting;
  }
}
