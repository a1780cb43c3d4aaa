// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.PriorityFunction;

/**
 * The handlers and the queue of background calls, whose reads may have to wait for the disk for
 * seconds. No other handler serves them; if the queue is full they are refused, as HBase refuses
 * calls for its own full queue.
 */
final class BackgroundRpcExecutor extends OneQueueRpcExecutor {

  private static final String MAX_BYTES = "hbase.ipc.server.max.callqueue.size";

  /** HBase's, if the key is not set. */
  private static final long DEFAULT_MAX_BYTES = 1L << 30;

  BackgroundRpcExecutor(
      int handlers,
      int queueLength,
      PriorityFunction priority,
      Configuration conf,
      Abortable server) {
    super("background", handlers, queueLength, priority, conf, server);
    // HBase counts the bytes of all calls together and refuses every call above its limit. Calls
    // that wait long must not have all of it.
    queues.set(0, new BackgroundQueue(conf.getLong(MAX_BYTES, DEFAULT_MAX_BYTES) / 2));
  }
}
