// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.hadoopprio.policy.Reservation;

/** The handlers and the queue of real-time calls. */
final class RealtimeRpcExecutor extends OneQueueRpcExecutor {

  RealtimeRpcExecutor(
      int handlers,
      int queueLength,
      PriorityFunction priority,
      Configuration conf,
      Abortable server) {
    super("realtime", handlers, queueLength, priority, conf, server);
  }

  /** The constructor above calls this, so it must not use fields of this class. */
  @Override
  protected void initializeQueues(int count) {
    // Sets the limit of the length, too.
    super.initializeQueues(count);
    queues.set(0, new RealtimeQueue());
  }

  /**
   * Puts a call into the queue.
   *
   * @param places that the call has in the caps; given back when it has been served
   * @param claimed whether a handler was claimed for it
   * @return false if the queue is full; the places are given back then, too
   */
  boolean dispatch(CallRunner call, Reservation places, boolean claimed) {
    queue().comes(call, places, claimed);
    return dispatchExpected(call);
  }

  /** Like {@link #dispatch(CallRunner, Reservation, boolean)}, for a call that is expected. */
  boolean dispatchExpected(CallRunner call) {
    boolean dispatched = dispatch(call);
    if (!dispatched) {
      queue().goes(call);
    }
    return dispatched;
  }

  /** Queues the call if it is an expected one and the queue is not full. */
  boolean offerExpected(CallRunner call) {
    return queue().size() < currentQueueLimit && queue().offerExpected(call);
  }

  /** Of all its handlers. */
  RealtimeQueue queue() {
    return (RealtimeQueue) queues.get(0);
  }
}
