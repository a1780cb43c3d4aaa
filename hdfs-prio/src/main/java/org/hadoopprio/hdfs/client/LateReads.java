// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.wire.RefusedAnswer;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;

/**
 * The delegate of the hooks by which a positioned read with a latency target goes to another
 * replica when one is late: its DataNode has said so, or has not answered in twice the time that
 * was left. Such a DataNode is not dead; its storage is avoided for a while. The last replica is
 * waited for as in stock Hadoop. Thread-safe.
 */
public final class LateReads {

  /** With less time left, another replica is no use: a disk needs as much to read anything. */
  private static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final LateStorages STORAGES = new LateStorages(System::nanoTime);

  /** The connections whose timeout is not the one of their client's configuration. */
  private static final WeakConcurrentMap<Peer, Boolean> LIMITED =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private static volatile boolean everLimited;

  private LateReads() {}

  /** A positioned read of one block, with a latency target. */
  static final class PositionedRead {
    final long deadline;

    /** The DataNodes that were too late for it. */
    final List<DatanodeInfo> late = new ArrayList<>();

    LocatedBlock block;

    /** What was left when the DataNode was chosen. */
    long leftWhenChosen;

    /** What reads of it take, as far as the last failure tells. */
    long expectedNanos;

    /** Whether there is another replica for it, and time. */
    boolean mayRefuse;

    /** Whether the last failure was that a DataNode was too late. */
    boolean wasLate;

    PositionedRead(IoPriority priority) {
      deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(priority.targetMillis());
    }

    long leftNanos() {
      return deadline - System.nanoTime();
    }
  }

  /**
   * The calling thread begins a positioned read of one block.
   *
   * @return the value to pass to {@link #end}; Object because the hooked class, which keeps it in a
   *     local variable, has no access to its type; null for a read like in stock Hadoop
   */
  public static Object begin(DFSClient client) {
    if (OffSwitch.isOff(AgentModule.LATE_READS)) {
      return null;
    }
    ClientDefaults entered = ClientReads.enter(client);
    IoPriority priority;
    try {
      priority = ClientReads.stated();
    } finally {
      ClientReads.leave(entered);
    }
    if (priority == null || !priority.hasTarget()) {
      return null;
    }
    PositionedRead read = new PositionedRead(priority);
    ClientContext.ofThread().positionedRead = read;
    return read;
  }

  /** The read has ended, normally or with an exception. */
  public static void end(Object read) {
    if (read != null) {
      ClientContext.ofThread().positionedRead = null;
    }
  }

  /**
   * The calling thread is about to choose a DataNode.
   *
   * @param ignored the DataNodes that it must not choose; null for none
   * @return those and the ones that are too late, if there is another one
   */
  public static Collection<DatanodeInfo> ignoring(
      DFSInputStream stream,
      DFSClient client,
      LocatedBlock block,
      Collection<DatanodeInfo> ignored) {
    PositionedRead read = ClientContext.ofThread().positionedRead;
    if (read == null) {
      return ignored;
    }
    read.block = block;
    read.wasLate = false;
    read.leftWhenChosen = read.leftNanos();
    Map<DatanodeInfo, DatanodeInfo> dead = client.getDeadNodes(stream);
    List<DatanodeInfo> left = new ArrayList<>();
    List<DatanodeInfo> avoided = new ArrayList<>();
    for (DatanodeInfo node : block.getLocations()) {
      if (!dead.containsKey(node)
          && (ignored == null || !ignored.contains(node))
          && !read.late.contains(node)) {
        boolean avoid = STORAGES.isAvoided(storage(block, node), read.leftWhenChosen);
        (avoid ? avoided : left).add(node);
      }
    }
    read.mayRefuse = left.size() > 1 && read.leftWhenChosen >= LEAST_NANOS;
    if (left.isEmpty() || (read.late.isEmpty() && avoided.isEmpty())) {
      return ignored;
    }
    List<DatanodeInfo> all = new ArrayList<>(read.late);
    all.addAll(avoided);
    if (ignored != null) {
      all.addAll(ignored);
    }
    return all;
  }

  /** Whether the DataNode may refuse the read for which the calling thread asks. */
  static boolean mayRefuse() {
    PositionedRead read = ClientContext.ofThread().positionedRead;
    return read != null && read.mayRefuse;
  }

  /** The calling thread is about to ask a DataNode for a block: sets how long it waits. */
  public static void ask(Peer peer, Configuration conf) throws IOException {
    PositionedRead read = ClientContext.ofThread().positionedRead;
    if (read != null && read.mayRefuse) {
      everLimited = true;
      LIMITED.put(peer, true);
      long millis = TimeUnit.NANOSECONDS.toMillis(2 * Math.max(LEAST_NANOS, read.leftNanos()));
      peer.setReadTimeout((int) Math.min(millis, timeoutMillis(conf)));
    } else if (everLimited && LIMITED.remove(peer) != null) {
      peer.setReadTimeout(timeoutMillis(conf));
    }
  }

  private static int timeoutMillis(Configuration conf) {
    int millis =
        conf.getInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, DEFAULT_TIMEOUT_MILLIS);
    // 0 is for ever.
    return millis > 0 ? millis : Integer.MAX_VALUE;
  }

  /** HDFS's own default of dfs.client.socket-timeout. */
  private static final int DEFAULT_TIMEOUT_MILLIS = 60_000;

  /**
   * Whether the calling thread asks another DataNode now, and not the same one once more on another
   * connection.
   */
  public static boolean isLate(IOException failure) {
    return mayRefuse()
        && (RefusedAnswer.isCauseOf(failure)
            || (failure instanceof SocketTimeoutException
                && !(failure instanceof ConnectTimeoutException)));
  }

  /** The calling thread has failed to read from the DataNode that it had chosen. */
  public static void failed(IOException failure) {
    PositionedRead read = ClientContext.ofThread().positionedRead;
    if (read != null) {
      read.wasLate = isLate(failure);
      // It was waited for twice as long, or would have taken longer than that.
      boolean silent =
          failure instanceof SocketTimeoutException && !(failure instanceof RefusedReadException);
      long least = (silent ? 2 : 1) * Math.max(LEAST_NANOS, read.leftWhenChosen);
      read.expectedNanos = Math.max(least, RefusedAnswer.expectedNanos(failure));
    }
  }

  /**
   * The calling thread is about to regard a DataNode as dead for the stream.
   *
   * @return whether it is not, but only late
   */
  public static boolean isOnlyLate(DatanodeInfo node) {
    PositionedRead read = ClientContext.ofThread().positionedRead;
    if (read == null || !read.wasLate) {
      return false;
    }
    if (!read.late.contains(node)) {
      read.late.add(node);
      STORAGES.late(storage(read.block, node), read.expectedNanos);
      PriorityMetrics.ELSEWHERE.increment();
    }
    return true;
  }

  private static String storage(LocatedBlock block, DatanodeInfo node) {
    DatanodeInfo[] nodes = block.getLocations();
    String[] storages = block.getStorageIDs();
    for (int i = 0; storages != null && i < Math.min(nodes.length, storages.length); i++) {
      if (nodes[i].equals(node) && storages[i] != null) {
        return storages[i];
      }
    }
    return node.getDatanodeUuid();
  }
}
