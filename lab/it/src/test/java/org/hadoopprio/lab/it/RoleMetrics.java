package org.hadoopprio.lab.it;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.workload.Pauses;

/** The bytes that a DataNode has counted by role and class. Immutable. */
final class RoleMetrics {

  /** How often the daemons must renew their metrics, in seconds. */
  static final int PERIOD_S = 1;

  private static final String ROLE = "tag.role";

  private final Map<String, Long> bytes;

  private RoleMetrics(Map<String, Long> bytes) {
    this.bytes = bytes;
  }

  /** Waits until an answer is not one that the metrics system has kept. */
  static void settle() throws IOException {
    Pauses.sleep(2_000L * PERIOD_S, "interrupted while metrics settle");
  }

  /** A bean shows the records of its source with numbers behind the names from the second on. */
  static RoleMetrics of(LocalCluster cluster, Daemon dataNode) throws IOException {
    JsonNode bean = cluster.jmx(dataNode, "Hadoop:service=DataNode,name=IoPriorityRoles").path(0);
    Map<String, Long> bytes = new TreeMap<>();
    for (Iterator<String> names = bean.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (name.startsWith(ROLE)) {
        String number = name.substring(ROLE.length());
        String ioClass = bean.path("tag.class" + number).asText();
        bytes.put(key(bean.path(name).asText(), ioClass), bean.path("Bytes" + number).asLong());
      }
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
