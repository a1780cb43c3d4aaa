// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.ClassCap;
import org.hadoopprio.policy.Reservation;

/**
 * The background calls that wait for a handler, within a limit of the bytes of what waits and what
 * is served. A handler takes the first call that has a place in the policy's caps for idle; those
 * above a cap wait and occupy no handler. Network threads offer, background handlers take.
 * Thread-safe.
 *
 * <p>A handler that looks for a call asks the caps of the first one of each {@link Group}, however
 * many wait: network threads need the same lock.
 */
final class BackgroundQueue extends AbstractQueue<CallRunner> implements BlockingQueue<CallRunner> {

  /**
   * When a handler looks again at calls that were passed over for another reason than the rate of a
   * cap, or whose rate was taken meanwhile.
   */
  private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How often at least while calls wait for a rate: nobody tells when caps are not in force. */
  private static final long LOOK_AT_MODE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** That of a call that needs no place. */
  private static final Reservation NONE = new Reservation();

  private final long maxBytes;

  /** Of the calls that wait, and of those that are served. */
  private final AtomicLong bytes = new AtomicLong();

  /** The places that calls need which are about to come. */
  private final Map<CallRunner, Reservation> expected = new ConcurrentHashMap<>();

  /** By their caps; none is empty. Guarded by this, as the fields below. */
  private final Map<Set<ClassCap>, Group> groups = new HashMap<>();

  /** How many calls have come. */
  private long came;

  /** How many wait; also read without the lock. */
  private volatile int size;

  /** The handlers that wait for a call. */
  private int waiting;

  /** When the next of the calls that the last look has passed over may have a place; 0 for none. */
  private long nanosUntilNext;

  /** A call that waits. */
  private static final class Waiting {
    private final CallRunner call;
    private final Reservation places;
    private final long number;

    Waiting(CallRunner call, Reservation places, long number) {
      this.call = call;
      this.places = places;
      this.number = number;
    }
  }

  /** The calls that need places in the same caps, in the order of their coming. */
  private static final class Group {
    private final Deque<Waiting> calls = new ArrayDeque<>();

    Waiting first() {
      return calls.getFirst();
    }
  }

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
      expected.put(call, places);
    }
  }

  /** The call has not come after all. */
  void goes(CallRunner call) {
    expected.remove(call);
  }

  /**
   * Whether so much waits that a call which could not be served now is not to come: calls above a
   * cap must leave others half of the queue.
   *
   * @param limit of the calls in the queue
   */
  boolean isHalfFull(int limit) {
    return size >= (limit + 1) / 2 || bytes.get() > maxBytes / 2;
  }

  /** Queues the call; returns false if that is more than the limit allows. */
  @Override
  public boolean offer(CallRunner call) {
    long own = call.getRpcCall().getSize();
    long before = bytes.getAndAdd(own);
    boolean fits = before == 0 || before + own <= maxBytes;
    if (fits) {
      enqueue(call);
    } else {
      bytes.addAndGet(-own);
    }
    return fits;
  }

  /** The next call for the calling handler, which has served its last one. */
  @Override
  public synchronized CallRunner take() throws InterruptedException {
    ends();
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

  private synchronized void enqueue(CallRunner call) {
    Reservation places = expected.getOrDefault(call, NONE);
    expected.remove(call);
    groups
        .computeIfAbsent(places.caps(), caps -> new Group())
        .calls
        .add(new Waiting(call, places, came++));
    size++;
    if (waiting > 0) {
      notify();
    }
  }

  private synchronized void ends() {
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

  /** The first call that may be served now; null if there is none. */
  private synchronized CallRunner next() {
    nanosUntilNext = 0;
    boolean capped = areCapsInForce();
    for (Group group : inOrder()) {
      Reservation places = capped ? group.first().places : NONE;
      if (places.tryAcquire()) {
        return serve(group, places);
      }
      long nanos = places.nanosUntilTokens();
      nanos = nanos == 0 ? LOOK_AGAIN_NANOS : Math.min(nanos, LOOK_AT_MODE_NANOS);
      nanosUntilNext = nanosUntilNext == 0 ? nanos : Math.min(nanos, nanosUntilNext);
    }
    return null;
  }

  /** As many as there are sets of caps in the policy, as it is and was when the calls came. */
  private Collection<Group> inOrder() {
    if (groups.size() < 2) {
      return List.copyOf(groups.values());
    }
    List<Group> order = new ArrayList<>(groups.values());
    order.sort(Comparator.comparingLong(group -> group.first().number));
    return order;
  }

  private synchronized CallRunner serve(Group group, Reservation acquired) {
    Waiting first = group.calls.removeFirst();
    if (group.calls.isEmpty()) {
      groups.remove(first.places.caps());
    }
    size--;
    HandlerCall.take(acquired.isEmpty() ? null : acquired);
    HandlerCall.takesBytes(first.call.getRpcCall().getSize());
    if (size > 0) {
      // Whoever was woken may have been meant for another call.
      notify();
    }
    return first.call;
  }

  @Override
  public int size() {
    return size;
  }

  /** Of the calls that wait now, in the order of their coming. */
  @Override
  public synchronized Iterator<CallRunner> iterator() {
    return groups.values().stream()
        .flatMap(group -> group.calls.stream())
        .sorted(Comparator.comparingLong(waiting -> waiting.number))
        .map(waiting -> waiting.call)
        .collect(Collectors.toList())
        .iterator();
  }

  /** HBase's limit is that of {@link BackgroundRpcExecutor}. */
  @Override
  public int remainingCapacity() {
    return Integer.MAX_VALUE;
  }

  // HBase calls none of the rest.

  @Override
  public CallRunner peek() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void put(CallRunner call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean offer(CallRunner call, long timeout, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CallRunner poll(long timeout, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int drainTo(Collection<? super CallRunner> calls) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int drainTo(Collection<? super CallRunner> calls, int max) {
    throw new UnsupportedOperationException();
  }
}
