// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ipc.CallRunner;

/**
 * The background calls that wait for a handler, within a limit of the bytes of what waits and what
 * is served. Network threads offer, background handlers take. Thread-safe.
 */
final class BackgroundQueue extends LinkedBlockingQueue<CallRunner> {

  private static final long serialVersionUID = 1;

  private final long maxBytes;

  /** Of the calls that wait, and of those that are served. */
  private final AtomicLong bytes = new AtomicLong();

  /**
   * Makes a queue.
   *
   * @param maxBytes 1 or more; a single call may have more
   */
  BackgroundQueue(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Queues the call; returns false if that is more than the limit allows. */
  @Override
  public boolean offer(CallRunner call) {
    long size = call.getRpcCall().getSize();
    long before = bytes.getAndAdd(size);
    boolean fits = before == 0 || before + size <= maxBytes;
    if (fits && super.offer(call)) {
      return true;
    }
    bytes.addAndGet(-size);
    return false;
  }

  /** The next call for the calling handler, which has served its last one. */
  @Override
  public CallRunner take() throws InterruptedException {
    bytes.addAndGet(-HandlerCall.takesBytes(0));
    CallRunner next = super.take();
    HandlerCall.takesBytes(next.getRpcCall().getSize());
    return next;
  }
}
