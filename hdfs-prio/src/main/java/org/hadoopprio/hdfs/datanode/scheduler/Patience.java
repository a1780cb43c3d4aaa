// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * How long one packet may wait: its client, or the DataNode before in a pipeline, gives up a
 * DataNode from which nothing comes. Pure functions.
 */
final class Patience {

  /**
   * The part of a time-out that is spent waiting: the read itself takes its time after that, and in
   * a pipeline of three each may wait.
   */
  private static final int PART = 3;

  /** Less is nobody's: otherwise everybody could read without turns. */
  static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** HDFS adds so much to the client's time-out for each node (HdfsConstants). */
  private static final long NODE_NANOS =
      TimeUnit.MILLISECONDS.toNanos(HdfsConstants.READ_TIMEOUT_EXTENSION);

  /** A client waits for a node's time for each of these of a transfer, and for two more. */
  private static final long TRANSFER_BYTES = 200L * (64 << 10);

  private Patience() {}

  /**
   * The patience of clients that state none: they are taken to have the DataNode's own settings.
   *
   * @return in milliseconds; 0 without an end
   */
  static int ofOthers(Configuration conf) {
    int reads =
        conf.getInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, HdfsConstants.READ_TIMEOUT);
    int writes =
        conf.getInt(
            DFSConfigKeys.DFS_DATANODE_SOCKET_WRITE_TIMEOUT_KEY, HdfsConstants.WRITE_TIMEOUT);
    if (reads <= 0 || writes <= 0) {
      return Math.max(0, Math.max(reads, writes));
    }
    return Math.min(reads, writes);
  }

  /**
   * How long a packet may wait, in nanoseconds.
   *
   * @param millis the patience; 0 without an end
   */
  static long longestWaitNanos(int millis) {
    if (millis <= 0) {
      return VolumeQueue.MAX_WAIT_NANOS;
    }
    long part = TimeUnit.MILLISECONDS.toNanos(millis) / PART;
    return Math.max(LEAST_NANOS, Math.min(part, VolumeQueue.MAX_WAIT_NANOS));
  }

  /**
   * For how long a transfer takes turns, in nanoseconds from its begin. The client that recovers
   * its pipeline hears nothing before the last packet has arrived (DataStreamer.transfer).
   *
   * @param millis the patience; 0 without an end. More than HDFS's default counts as that: a client
   *     states no more, and this is the DataNode's own
   * @param bytes of the replica, which the client has sent in packets of 64 KiB
   */
  static long transferNanos(int millis, long bytes) {
    long patience = millis <= 0 ? HdfsConstants.READ_TIMEOUT : millis;
    long nodes = 2 + bytes / TRANSFER_BYTES;
    long counted = Math.min(patience, HdfsConstants.READ_TIMEOUT);
    return (TimeUnit.MILLISECONDS.toNanos(counted) + nodes * NODE_NANOS) / PART;
  }
}
