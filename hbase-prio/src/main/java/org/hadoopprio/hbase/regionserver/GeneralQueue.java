// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.ipc.AdaptiveLifoCoDelCallQueue;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.RpcExecutor;

/**
 * One of HBase's queues of general calls, whose handlers also serve real-time calls that wait: a
 * handler that becomes free takes a real-time call before the next of its queue, but at most half
 * of the queue's handlers serve real-time calls at a time, so that slow ones never have all of
 * them. After a real-time call a handler takes one of its queue first. Thread-safe.
 */
final class GeneralQueue extends AbstractQueue<CallRunner>
    implements BlockingQueue<CallRunner>, ConfigurationObserver {

  private final BlockingQueue<CallRunner> own;
  private final RealtimeRpcExecutor realtime;

  /** All queues whose handlers serve the same real-time calls. */
  private final List<GeneralQueue> all;

  /** The handlers of this queue, each with whether it serves a real-time call. */
  private final Map<Thread, Boolean> handlers = new ConcurrentHashMap<>();

  /** How many of them do. */
  private final AtomicInteger serving = new AtomicInteger();

  /** The handlers in {@link #await}; written under the lock of this queue. */
  private volatile int waiting;

  /**
   * Wraps a queue.
   *
   * @param all the list of all such queues, of which this becomes one
   */
  GeneralQueue(
      BlockingQueue<CallRunner> own, RealtimeRpcExecutor realtime, List<GeneralQueue> all) {
    this.own = own;
    this.realtime = realtime;
    this.all = all;
    all.add(this);
  }

  @Override
  public boolean offer(CallRunner call) {
    if (realtime.offerExpected(call)) {
      all.forEach(GeneralQueue::wakeOne);
      return true;
    }
    boolean queued = own.offer(call);
    wakeOne();
    return queued;
  }

  /**
   * The next call for the calling handler, which has served its last one; null if there is none.
   */
  @Override
  public CallRunner poll() {
    HandlerCall.take(null);
    Thread handler = Thread.currentThread();
    boolean ownFirst = ends(handler);
    CallRunner next = ownFirst ? null : pollRealtime(handler);
    next = next == null ? own.poll() : next;
    // Once more: until now another handler may have served a real-time call that has ended.
    return next == null ? pollRealtime(handler) : next;
  }

  /** The handler has served its last call; returns whether that was a real-time one. */
  private boolean ends(Thread handler) {
    boolean realtimeEnds = Boolean.TRUE.equals(handlers.put(handler, false));
    if (realtimeEnds) {
      serving.decrementAndGet();
    }
    return realtimeEnds;
  }

  private CallRunner pollRealtime(Thread handler) {
    while (!realtime.queue().isEmpty() && begins(handler)) {
      CallRunner next = realtime.queue().poll();
      if (next != null) {
        return next;
      }
      // Meanwhile another handler may have been denied the call that has come now.
      ends(handler);
    }
    return null;
  }

  /**
   * A handler is to serve a real-time call.
   *
   * @return false if that would be more than half of this queue's, or if it is not of this queue
   */
  boolean begins(Thread handler) {
    if (!handlers.containsKey(handler)) {
      return false;
    }
    int most = handlers.size() / 2;
    if (serving.getAndUpdate(now -> now < most ? now + 1 : now) >= most) {
      return false;
    }
    handlers.put(handler, true);
    return true;
  }

  /** The handler, which {@link #begins} a real-time call, does not after all. */
  void doesNotBegin(Thread handler) {
    ends(handler);
  }

  @Override
  public CallRunner take() throws InterruptedException {
    CallRunner next = poll();
    return next == null ? await() : next;
  }

  private synchronized CallRunner await() throws InterruptedException {
    // Counted before it looks: who queues a call after that look wakes it.
    waiting++;
    try {
      CallRunner next = poll();
      while (next == null) {
        wait();
        next = poll();
      }
      return next;
    } finally {
      waiting--;
    }
  }

  private void wakeOne() {
    if (waiting > 0) {
      synchronized (this) {
        notify();
      }
    }
  }

  /** HBase tells its own type of queue only. */
  @Override
  public void onConfigurationChange(Configuration conf) {
    if (own instanceof AdaptiveLifoCoDelCallQueue) {
      ((AdaptiveLifoCoDelCallQueue) own)
          .updateTunables(
              conf.getInt(
                  RpcExecutor.CALL_QUEUE_CODEL_TARGET_DELAY,
                  RpcExecutor.CALL_QUEUE_CODEL_DEFAULT_TARGET_DELAY),
              conf.getInt(
                  RpcExecutor.CALL_QUEUE_CODEL_INTERVAL,
                  RpcExecutor.CALL_QUEUE_CODEL_DEFAULT_INTERVAL),
              conf.getDouble(
                  RpcExecutor.CALL_QUEUE_CODEL_LIFO_THRESHOLD,
                  RpcExecutor.CALL_QUEUE_CODEL_DEFAULT_LIFO_THRESHOLD));
    } else if (own instanceof ConfigurationObserver) {
      ((ConfigurationObserver) own).onConfigurationChange(conf);
    }
  }

  // The rest is not for handlers, and is of HBase's queue alone.

  @Override
  public CallRunner peek() {
    return own.peek();
  }

  @Override
  public int size() {
    return own.size();
  }

  @Override
  public Iterator<CallRunner> iterator() {
    return own.iterator();
  }

  @Override
  public void put(CallRunner call) throws InterruptedException {
    own.put(call);
    wakeOne();
  }

  @Override
  public boolean offer(CallRunner call, long timeout, TimeUnit unit) throws InterruptedException {
    boolean queued = own.offer(call, timeout, unit);
    wakeOne();
    return queued;
  }

  @Override
  public CallRunner poll(long timeout, TimeUnit unit) throws InterruptedException {
    return own.poll(timeout, unit);
  }

  @Override
  public int remainingCapacity() {
    return own.remainingCapacity();
  }

  @Override
  public int drainTo(Collection<? super CallRunner> calls) {
    return own.drainTo(calls);
  }

  @Override
  public int drainTo(Collection<? super CallRunner> calls, int max) {
    return own.drainTo(calls, max);
  }
}
