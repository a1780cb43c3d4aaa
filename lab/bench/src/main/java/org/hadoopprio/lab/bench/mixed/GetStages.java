// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;

/**
 * How much of the latency of prioritised Gets is that of a handler of the RegionServer, of the
 * DataNode, and of the drive. Each includes the next one: what is left between two of them is time
 * in queues, in locks, on the network, or for a processor.
 */
final class GetStages {

  /**
   * The shortest window of which the daemons' last whole interval of 60 s (Hadoop's {@code
   * MutableQuantiles}) is a part, whenever it began.
   */
  static final int MIN_SECONDS = 125;

  private static final double MICROS_PER_MS = 1_000;
  private static final int[] PERCENTILES = {50, 95, 99};

  private final LocalCluster cluster;
  private final long regionServerGc;
  private final long dataNodeGc;

  private GetStages(LocalCluster cluster) throws IOException {
    this.cluster = cluster;
    this.regionServerGc = gcMillis(Role.REGIONSERVER);
    this.dataNodeGc = gcMillis(Role.DATANODE);
  }

  /** The measured window begins. */
  static GetStages start(LocalCluster cluster) throws IOException {
    return new GetStages(cluster);
  }

  /**
   * The measured window has just ended.
   *
   * @param drive its figures of the window
   * @return fields {@code regionserver}, {@code datanode} and {@code drive} with percentiles in
   *     milliseconds, and the milliseconds of garbage collection
   */
  ObjectNode end(JsonNode drive) throws IOException {
    ObjectNode json = new ObjectMapper().createObjectNode();
    addRecord(json.putObject("regionserver"), Role.REGIONSERVER, "IoPriorityCalls");
    addRecord(json.putObject("datanode"), Role.DATANODE, "IoPriorityReads");
    ObjectNode requests = json.putObject("drive");
    JsonNode latency = DriveClasses.of(drive, "rt", "read").path("latency_ms");
    for (int percent : PERCENTILES) {
      requests.set("p" + percent + "_ms", latency.path("p" + percent));
    }
    json.put("regionserver_gc_ms", gcMillis(Role.REGIONSERVER) - regionServerGc);
    json.put("datanode_gc_ms", gcMillis(Role.DATANODE) - dataNodeGc);
    return json;
  }

  private void addRecord(ObjectNode json, Role role, String record) throws IOException {
    for (JsonNode bean : jmx(role, "*" + record + "*")) {
      if (bean.path("tag.class").asText().equals("rt")) {
        for (int percent : PERCENTILES) {
          String name = "Latency" + percent + "thPercentileMicros";
          json.put("p" + percent + "_ms", bean.path(name).asLong() / MICROS_PER_MS);
        }
        return;
      }
    }
    throw new IOException("a " + role + " shows no record " + record + " of class rt");
  }

  private long gcMillis(Role role) throws IOException {
    return jmx(role, "JvmMetrics").path(0).path("GcTimeMillis").asLong();
  }

  private JsonNode jmx(Role role, String name) throws IOException {
    Daemon daemon = cluster.daemon(role);
    String service = role == Role.DATANODE ? "DataNode" : "HBase";
    return cluster.jmx(daemon, "Hadoop:service=" + service + ",name=" + name);
  }
}
