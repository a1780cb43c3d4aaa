// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.AbstractQueue;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.ipc.AdaptiveLifoCoDelCallQueue;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.RpcExecutor;

/**
 * One of HBase's queues of general calls, whose handlers also serve real-time calls that wait: a
 * handler that becomes free takes a real-time call before the next of its queue. After a real-time
 * call it takes one of its queue first, so that real-time calls never have all handlers.
 * Thread-safe.
 */
final class GeneralQueue extends AbstractQueue<CallRunner>
    implements BlockingQueue<CallRunner>, ConfigurationObserver {

  private final BlockingQueue<CallRunner> own;
  private final RealtimeRpcExecutor realtime;

  /** All queues whose handlers serve the same real-time calls. */
  private final List<GeneralQueue> all;

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
    boolean ownFirst = HandlerCall.take(null);
    CallRunner next = ownFirst ? own.poll() : realtime.queue().poll();
    if (next != null) {
      return next;
    }
    return ownFirst ? realtime.queue().poll() : own.poll();
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
