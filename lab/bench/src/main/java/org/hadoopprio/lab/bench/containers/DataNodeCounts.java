// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.containers;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.hadoopprio.doctor.DaemonPages;

/** What one DataNode counted since it started, or between two times. Immutable. */
final class DataNodeCounts {

  private static final String PRIORITY_BEAN = "org.hadoopprio:type=IoPriority";
  private static final String ACTIVITY_BEANS = "Hadoop:service=DataNode,name=DataNodeActivity*";

  private final String name;
  private final String agent;
  private final long realtime;
  private final long idle;
  private final long failed;
  private final long bytesRead;

  /**
   * The counts of a DataNode.
   *
   * @param agent the agent's version; empty for a stock DataNode
   */
  DataNodeCounts(String name, String agent, long realtime, long idle, long failed, long bytesRead) {
    this.name = name;
    this.agent = agent;
    this.realtime = realtime;
    this.idle = idle;
    this.failed = failed;
    this.bytesRead = bytesRead;
  }

  /** Asks all DataNodes of the NameNode, sorted by name. */
  static List<DataNodeCounts> all(DistributedFileSystem fs) throws IOException {
    List<DataNodeCounts> all = new ArrayList<>();
    for (DatanodeInfo dataNode : fs.getDataNodeStats()) {
      DaemonPages pages = new DaemonPages(dataNode.getHostName() + ":" + dataNode.getInfoPort());
      all.add(of(dataNode.getHostName(), pages.jmx(PRIORITY_BEAN), pages.jmx(ACTIVITY_BEANS)));
    }
    all.sort(Comparator.comparing(DataNodeCounts::name));
    return all;
  }

  /** The counts in a DataNode's beans: hadoop-prio's, if it has it, and Hadoop's own. */
  static DataNodeCounts of(String name, JsonNode priority, JsonNode activity) {
    JsonNode bean = priority.path(0);
    return new DataNodeCounts(
        name,
        bean.path("Version").asText(),
        bean.path("GrantedRealtime").asLong(),
        bean.path("GrantedIdle").asLong(),
        bean.path("Failed").asLong() + bean.path("Denied").asLong(),
        activity.path(0).path("BytesRead").asLong());
  }

  /** What the same DataNode counted since an earlier time. */
  DataNodeCounts since(DataNodeCounts earlier) {
    return new DataNodeCounts(
        name,
        agent,
        realtime - earlier.realtime,
        idle - earlier.idle,
        failed - earlier.failed,
        bytesRead - earlier.bytesRead);
  }

  String name() {
    return name;
  }

  /** The agent's version; empty for a stock DataNode. */
  String agent() {
    return agent;
  }

  boolean isPatched() {
    return !agent.isEmpty();
  }

  /** Reads that were done in the real-time class. */
  long realtime() {
    return realtime;
  }

  /** Reads that were done in the idle class. */
  long idle() {
    return idle;
  }

  /** Reads whose priority the kernel refused. */
  long failed() {
    return failed;
  }

  long bytesRead() {
    return bytesRead;
  }
}
