// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.hadoopprio.metrics.ClassStatus;

/**
 * What the DataNode's scheduler has charged to a class beside what the drive has read for it: the
 * real-time share binds only if both are the same. Immutable.
 */
final class ChargedBytes {

  /** Where {@link #addTo} adds them, by class. */
  static final String FIELD = "charged";

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
   * Adds {@value #FIELD}: for each class that has read, {@code charged_mb}, {@code disk_mb} and
   * their ratio {@code of_disk}.
   *
   * @param before what was charged when the drive's counters were reset
   * @param result with {@code drives}, of one drive
   */
  void addTo(ObjectNode result, ChargedBytes before) {
    ObjectNode json = result.putObject(FIELD);
    for (JsonNode read : result.at("/drives/0/classes")) {
      String name = read.path("class").asText();
      long charged = bytes(name) - before.bytes(name);
      if (read.path("operation").asText().equals("read") && charged > 0) {
        double disk = read.path("bytes").asDouble();
        json.putObject(name)
            .put("charged_mb", charged / BYTES_PER_MB)
            .put("disk_mb", disk / BYTES_PER_MB)
            .put("of_disk", charged / disk);
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
