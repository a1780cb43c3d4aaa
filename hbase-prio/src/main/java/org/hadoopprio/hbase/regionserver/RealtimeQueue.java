// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.hadoopprio.policy.Reservation;

/**
 * The real-time calls that wait for a handler, with their places in the policy's caps. A handler
 * gives the places of its call back when it looks for the next one, whatever became of the call: it
 * may have failed, or not have been run because its client is gone. Real-time handlers take,
 * general handlers poll. Thread-safe.
 */
final class RealtimeQueue extends LinkedBlockingQueue<CallRunner> {

  private static final long serialVersionUID = 1;

  private final transient Map<CallRunner, Waiting> expected = new ConcurrentHashMap<>();

  /** The real-time handlers that wait for a call, less the calls that were queued for them. */
  private final AtomicInteger idle = new AtomicInteger();

  /** A call that is expected in the queue, or is in it. */
  private static final class Waiting {
    private final Reservation places;
    private final boolean claimed;

    /** Written and read by the dispatching thread only. */
    private boolean queued;

    Waiting(Reservation places, boolean claimed) {
      this.places = places;
      this.claimed = claimed;
    }
  }

  /** Claims a real-time handler for the next call that comes; returns false if none waits. */
  boolean claim() {
    return idle.getAndUpdate(free -> free > 0 ? free - 1 : free) > 0;
  }

  /**
   * The call is about to come into the queue.
   *
   * @param claimed whether a handler was claimed for it
   */
  void comes(CallRunner call, Reservation reservation, boolean claimed) {
    expected.put(call, new Waiting(reservation, claimed));
  }

  /** Queues the call if it was announced by {@link #comes}. */
  boolean offerExpected(CallRunner call) {
    Waiting waiting = expected.isEmpty() ? null : expected.get(call);
    if (waiting == null) {
      return false;
    }
    waiting.queued = true;
    return offer(call);
  }

  /** The call was dispatched elsewhere, unless {@link #offerExpected} has queued it. */
  void goesUnlessQueued(CallRunner call) {
    Waiting waiting = expected.get(call);
    if (waiting != null && !waiting.queued) {
      goes(call);
    }
  }

  /** The call has not come after all. */
  void goes(CallRunner call) {
    Waiting waiting = expected.remove(call);
    waiting.places.release();
    if (waiting.claimed) {
      idle.incrementAndGet();
    }
  }

  @Override
  public CallRunner take() throws InterruptedException {
    HandlerCall.take(null);
    CallRunner next = takeIdle();
    Waiting waiting = expected.remove(next);
    if (!waiting.claimed) {
      idle.decrementAndGet();
    }
    HandlerCall.take(waiting.places);
    return next;
  }

  private CallRunner takeIdle() throws InterruptedException {
    idle.incrementAndGet();
    try {
      return super.take();
    } catch (InterruptedException e) {
      // It waits no longer: nobody may claim it.
      idle.decrementAndGet();
      throw e;
    }
  }

  @Override
  public CallRunner poll() {
    CallRunner next = super.poll();
    if (next != null) {
      Waiting waiting = expected.remove(next);
      if (waiting.claimed) {
        // The handler that was claimed for it waits on.
        idle.incrementAndGet();
      }
      HandlerCall.take(waiting.places);
    }
    return next;
  }
}
