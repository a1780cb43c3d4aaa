// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.hadoopprio.metrics.ClassStatus;

/**
 * What the DataNode's scheduler has charged to a class beside what the drive has read for it: the
 * real-time share binds only if both are the same. Immutable.
 */
final class ChargedBytes {

  /** What {@link #addTo} adds. */
  static final List<String> FIGURES = List.of("rt_charged_mb", "rt_mb", "be_charged_mb", "be_mb");

  private static final double BYTES_PER_MB = 1e6;

  /** The name in the DataNode's JMX of each class of the drive. */
  private static final Map<String, String> CLASSES = Map.of("rt", "realtime", "be", "bestEffort");

  private final JsonNode dataNode;

  /**
   * As it is now.
   *
   * @param dataNode the agent's bean, with {@code Volumes}
   */
  ChargedBytes(JsonNode dataNode) {
    this.dataNode = dataNode;
  }

  /**
   * Adds what was charged and what the drive has read, for each class that has read.
   *
   * @param before what was charged when the drive's counters were reset
   * @param drives the drives' figures, of one drive
   */
  void addTo(ObjectNode json, ChargedBytes before, JsonNode drives) {
    for (JsonNode read : drives.at("/0/classes")) {
      String name = read.path("class").asText();
      long charged = bytes(name) - before.bytes(name);
      if (read.path("operation").asText().equals("read") && charged > 0) {
        json.put(name + "_charged_mb", charged / BYTES_PER_MB);
        json.put(name + "_mb", read.path("bytes").asDouble() / BYTES_PER_MB);
      }
    }
  }

  /** The sum over the volumes of {@link ClassStatus#getDiskBytes}. */
  private long bytes(String name) {
    long bytes = 0;
    for (JsonNode volume : dataNode.path("Volumes")) {
      bytes += volume.path("queue").path(CLASSES.getOrDefault(name, "")).path("diskBytes").asLong();
    }
    return bytes;
  }
}
