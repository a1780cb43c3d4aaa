// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.hadoopprio.policy.Reservation;

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

  /**
   * Puts a call into the queue.
   *
   * @param places that it needs in the caps for idle; none is acquired
   * @return false if the queue is full, or half full and the call could not be served now
   */
  boolean dispatch(CallRunner call, Reservation places) {
    if (queue().isHalfFull(currentQueueLimit) && !places.canAcquire()) {
      return false;
    }
    queue().comes(call, places);
    boolean dispatched = dispatch(call);
    if (!dispatched) {
      queue().goes(call);
    }
    return dispatched;
  }

  /** Of all its handlers. */
  BackgroundQueue queue() {
    return (BackgroundQueue) queues.get(0);
  }
}
