// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.progress.Pauses;

/** The bytes that a DataNode has counted by role and class. Immutable. */
final class RoleMetrics {

  /** How often the daemons of a cluster for these metrics alone renew them. */
  static final int PERIOD_MILLIS = 250;

  private final Map<String, Long> bytes;

  private RoleMetrics(Map<String, Long> bytes) {
    this.bytes = bytes;
  }

  /** Waits until an answer is not one that the metrics system has kept. */
  static void settle(int periodMillis) throws IOException {
    Pauses.sleep(2L * periodMillis, "interrupted while metrics settle");
  }

  static RoleMetrics of(LocalCluster cluster, Daemon dataNode) throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    for (JsonNode bean : cluster.jmx(dataNode, "Hadoop:service=DataNode,name=IoPriorityRoles-*")) {
      String key = key(bean.path("tag.role").asText(), bean.path("tag.class").asText());
      bytes.put(key, bean.path("Bytes").asLong());
    }
    return new RoleMetrics(bytes);
  }

  private static String key(String role, String ioClass) {
    return role + " " + ioClass;
  }

  long bytes(String role, String ioClass) {
    return bytes.getOrDefault(key(role, ioClass), 0L);
  }

  RoleMetrics since(RoleMetrics before) {
    Map<String, Long> more = new TreeMap<>();
    bytes.forEach((key, value) -> more.put(key, value - before.bytes.getOrDefault(key, 0L)));
    return new RoleMetrics(more);
  }

  @Override
  public String toString() {
    return bytes.toString();
  }
}
