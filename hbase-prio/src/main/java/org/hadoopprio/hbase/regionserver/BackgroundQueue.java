// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.Reservation;

/**
 * The background calls that wait for a handler, within a limit of the bytes of what waits and what
 * is served. A handler takes the first call that has a place in the policy's caps for idle; those
 * above a cap wait and occupy no handler. Network threads offer, background handlers take.
 * Thread-safe.
 */
final class BackgroundQueue extends LinkedBlockingQueue<CallRunner> {

  private static final long serialVersionUID = 1;

  /**
   * When a handler looks again at calls that were passed over for another reason than the rate of a
   * cap, or whose rate was taken meanwhile.
   */
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How often at least while calls wait for a rate: nobody tells when caps are not in force. */
  private static final long LOOK_AT_MODE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final long maxBytes;

  /** Of the calls that wait, and of those that are served. */
  private final AtomicLong bytes = new AtomicLong();

  /** The places that calls need, of those that need any. */
  private final transient Map<CallRunner, Reservation> needed = new ConcurrentHashMap<>();

  /** The handlers that wait for a call; written under the lock of this queue. */
  private volatile int waiting;

  /** When the next of the calls that the last look has passed over may have a place; 0 for none. */
  private long nanosUntilNext;

  /**
   * Makes a queue.
   *
   * @param maxBytes 1 or more; a single call may have more
   */
  BackgroundQueue(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /**
   * The call is about to come into the queue.
   *
   * @param places that it needs; none is acquired
   */
  void comes(CallRunner call, Reservation places) {
    if (!places.isEmpty()) {
      needed.put(call, places);
    }
  }

  /** The call has not come after all. */
  void goes(CallRunner call) {
    needed.remove(call);
  }

  /**
   * Whether so much waits that a call which could not be served now is not to come: calls above a
   * cap must leave others half of the queue.
   *
   * @param limit of the calls in the queue
   */
  boolean isHalfFull(int limit) {
    return size() >= (limit + 1) / 2 || bytes.get() > maxBytes / 2;
  }

  /** Queues the call; returns false if that is more than the limit allows. */
  @Override
  public boolean offer(CallRunner call) {
    long size = call.getRpcCall().getSize();
    long before = bytes.getAndAdd(size);
    boolean fits = before == 0 || before + size <= maxBytes;
    if (fits && super.offer(call)) {
      wakeOne();
      return true;
    }
    bytes.addAndGet(-size);
    return false;
  }

  private void wakeOne() {
    if (waiting > 0) {
      synchronized (this) {
        notify();
      }
    }
  }

  /** The next call for the calling handler, which has served its last one. */
  @Override
  public synchronized CallRunner take() throws InterruptedException {
    ends();
    // Counted before it looks: who queues a call after that look wakes it.
    waiting++;
    try {
      CallRunner next = next();
      while (next == null) {
        if (nanosUntilNext > 0) {
          TimeUnit.NANOSECONDS.timedWait(this, nanosUntilNext);
        } else {
          wait();
        }
        next = next();
      }
      return next;
    } finally {
      waiting--;
    }
  }

  /** The same; null if no call may be served now. */
  @Override
  public synchronized CallRunner poll() {
    ends();
    return next();
  }

  private void ends() {
    bytes.addAndGet(-HandlerCall.takesBytes(0));
    if (HandlerCall.take(null)) {
      // Its place may be for a call that was passed over.
      notifyAll();
    }
  }

  /** Calls may have come before the module was switched off, or to observing. */
  private static boolean areCapsInForce() {
    return !OffSwitch.isOff(AgentModule.REGIONSERVER) && !OffSwitch.isObserving();
  }

  private CallRunner next() {
    nanosUntilNext = 0;
    for (CallRunner call : this) {
      Reservation places = areCapsInForce() ? needed.get(call) : null;
      if (places == null || places.tryAcquire()) {
        remove(call);
        needed.remove(call);
        HandlerCall.take(places);
        HandlerCall.takesBytes(call.getRpcCall().getSize());
        if (!isEmpty()) {
          // Whoever was woken may have been meant for another call.
          notify();
        }
        return call;
      }
      long nanos = places.nanosUntilTokens();
      nanos = nanos == 0 ? LOOK_AGAIN_NANOS : Math.min(nanos, LOOK_AT_MODE_NANOS);
      nanosUntilNext = nanosUntilNext == 0 ? nanos : Math.min(nanos, nanosUntilNext);
    }
    return null;
  }
}
