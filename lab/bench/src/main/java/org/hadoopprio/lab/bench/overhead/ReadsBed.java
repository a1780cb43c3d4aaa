// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;
import org.hadoopprio.lab.disk.DiskKind;

/**
 * One DataNode and one client, both with the agent, and a file in the page cache. Not safe for use
 * by several threads.
 */
final class ReadsBed implements Closeable {

  /** Needs no privilege. */
  static final String HINT = "be:3";

  private static final long DISK_BYTES = 1L << 30;
  private static final String HEAP = "-Xmx256m";

  private final LocalCluster cluster;
  private final Daemon dataNode;
  private final ClientProcess client;

  private ReadsBed(LocalCluster cluster, ClientProcess client) {
    this.cluster = cluster;
    this.dataNode = cluster.daemon(Role.DATANODE);
    this.client = client;
  }

  /** Starts both. */
  static ReadsBed start(Path directory) throws IOException {
    return BedClusters.start(
        BedClusters.hdfs(directory, DiskKind.MEMORY, 1, DISK_BYTES)
            // Its disk does not rotate: it is told to take turns as on a hard disk.
            .configure(Role.DATANODE, options -> options.conf(SchedulerKeys.STREAMS.name(), "1")),
        cluster ->
            new ReadsBed(
                cluster,
                ClientProcess.start(
                    cluster
                        .client(ReadClient.class)
                        .jvmOption(HEAP)
                        .jvmOption("-XX:+UseSerialGC")
                        .toProcessBuilder(),
                    cluster.directory().resolve("logs/client.log"))));
  }

  /** Both serve in each state, until the JIT compiler has little left to do. */
  void warmUp(double seconds) throws IOException {
    for (State state : State.values()) {
      enter(state);
      client.read(command(state, seconds));
    }
  }

  private static String command(State state, double seconds) {
    return seconds + " " + (state.hinted() ? HINT : ReadClient.NONE);
  }

  private void enter(State state) throws IOException {
    if (!VolumeMode.of(cluster, dataNode).inForce().equals(state.mode().toString())) {
      VolumeMode.set(cluster, state.mode());
    }
  }

  /**
   * Measures all states, forwards and backwards in turns, so that a steady drift cancels out.
   *
   * @param cycles how often each state is measured
   * @param seconds how long each time
   * @return for each state, what it did each time
   */
  ObjectNode measure(int cycles, double seconds, StepLog log) throws IOException {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    List<State> order = new ArrayList<>(Arrays.asList(State.values()));
    for (int cycle = 0; cycle < cycles; cycle++) {
      for (State state : order) {
        enter(state);
        ArrayNode blocks = result.withArray(state.label());
        blocks.add(block(state, seconds));
      }
      Collections.reverse(order);
      log.at((cycle + 1.0) / cycles, (cycle + 1) + " of " + cycles + " times");
    }
    return result;
  }

  private ObjectNode block(State state, double seconds) throws IOException {
    long daemon =
        dataNode.pid().orElseThrow(() -> new IOException(dataNode.name() + " does not run"));
    long granted = granted();
    double daemonBefore = ProcessCpu.seconds(daemon);
    double clientBefore = ProcessCpu.seconds(client.pid());
    long begin = System.nanoTime();
    long reads = client.read(command(state, seconds));
    double took = (System.nanoTime() - begin) / 1e9;
    ObjectNode block = JsonNodeFactory.instance.objectNode();
    block.put("reads", reads);
    block.put("seconds", took);
    block.put("daemon_cpu_s", ProcessCpu.seconds(daemon) - daemonBefore);
    block.put("client_cpu_s", ProcessCpu.seconds(client.pid()) - clientBefore);
    block.put("granted", granted() - granted);
    return block;
  }

  private long granted() throws IOException {
    return cluster
        .jmx(dataNode, PriorityMBean.OBJECT_NAME)
        .path(0)
        .path("GrantedBestEffort")
        .asLong();
  }

  @Override
  public void close() throws IOException {
    try {
      client.close();
    } finally {
      cluster.close();
    }
  }
}
