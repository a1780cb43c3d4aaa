// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.jmx.PriorityMBean;

/** What a running DataNode says of its one volume's scheduler of disk time. Immutable. */
public final class VolumeReport {

  private final Daemon dataNode;
  private final JsonNode status;

  private VolumeReport(Daemon dataNode, JsonNode status) {
    this.dataNode = dataNode;
    this.status = status;
  }

  /** Asks a DataNode that runs with the agent. */
  public static VolumeReport of(LocalCluster cluster, Daemon dataNode) throws IOException {
    JsonNode bean = cluster.jmx(dataNode, PriorityMBean.OBJECT_NAME).path(0);
    return new VolumeReport(dataNode, bean.path("Volumes").path(0));
  }

  /** Gives running DataNodes, all with the agent, another mode, which is in force afterwards. */
  public static void set(LocalCluster cluster, VolumeMode mode) throws IOException {
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      cluster.reconfigure(dataNode, o -> o.conf(SchedulerKeys.MODE.name(), mode.toString()));
      of(cluster, dataNode).requireInForce(mode);
    }
  }

  /** The mode that is configured. */
  public String wanted() {
    return status.path("wanted").asText();
  }

  /** The mode that reads are served in. */
  public String inForce() {
    return status.path("mode").asText();
  }

  /** Why the two modes differ; empty if they do not. */
  public String reason() {
    return status.path("reason").asText();
  }

  /** The kernel's name of the volume's device. */
  public String device() {
    return status.path("device").asText();
  }

  /** How many streams have a turn at the same time in mode turns; 0 if reads never wait. */
  public int streams() {
    return status.path("streams").asInt();
  }

  /** How many turns have begun since the DataNode's start. */
  public long turns() {
    return status.path("queue").path("turns").asLong();
  }

  /** How many reads were served in mode observe since the DataNode's start. */
  public long observedReads() {
    return status.path("observed").path("reads").asLong();
  }

  /** How many of them mode turns would probably have made wait. */
  public long observedWaits() {
    return status.path("observed").path("waits").asLong();
  }

  /** How often a read has waited for its turn since the DataNode's start. */
  public long waits() {
    return sum("waits");
  }

  /** How long reads have waited for their turn since the DataNode's start, in ms. */
  public long waitMillis() {
    return sum("waitMillis");
  }

  /** How many idle reads wait for their turn now. */
  public int idleWaiting() {
    return status.path("queue").path("idle").path("waiting").asInt();
  }

  /** The disk time of real-time reads since the DataNode's start, in ms. */
  public long realtimeMillis() {
    return status.path("queue").path("realtime").path("diskMillis").asLong();
  }

  /** How long real-time reads have lately opened their files on the disk, on average, in us. */
  public long openMicros() {
    return status.path("queue").path("serviceTimes").path("openMicros").asLong();
  }

  /** How many reads at the disk gave no sign and count as lost, since the DataNode's start. */
  public long lostReads() {
    return status.path("queue").path("lostReads").asLong();
  }

  private long sum(String name) {
    long sum = 0;
    for (String ioClass : List.of("realtime", "bestEffort", "idle")) {
      sum += status.path("queue").path(ioClass).path(name).asLong();
    }
    return sum;
  }

  /**
   * Checks that reads are served in a mode.
   *
   * @throws ClusterException if it is another one
   */
  public void requireInForce(VolumeMode mode) throws ClusterException {
    if (!inForce().equals(mode.toString())) {
      throw new ClusterException(
          "the scheduler of " + dataNode.name() + " is " + inForce() + " and not " + mode);
    }
  }

  @Override
  public String toString() {
    return dataNode.name() + ": " + status;
  }
}
