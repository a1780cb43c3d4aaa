// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.hadoopprio.policy.Reservation;

/**
 * The real-time calls that wait for a handler, with their places in the policy's caps. A handler
 * gives the places of its call back when it takes the next one, whatever became of the call: it may
 * have failed, or not have been run because its client is gone. Thread-safe.
 */
final class RealtimeQueue extends LinkedBlockingQueue<CallRunner> {

  private static final long serialVersionUID = 1;

  private final transient Map<CallRunner, Reservation> places = new ConcurrentHashMap<>();

  /** The call is about to come into the queue. */
  void comes(CallRunner call, Reservation reservation) {
    places.put(call, reservation);
  }

  /** The call has not come after all. */
  void goes(CallRunner call) {
    places.remove(call).release();
  }

  @Override
  public CallRunner take() throws InterruptedException {
    HandlerCall.take(null);
    CallRunner next = super.take();
    HandlerCall.take(places.remove(next));
    return next;
  }
}
