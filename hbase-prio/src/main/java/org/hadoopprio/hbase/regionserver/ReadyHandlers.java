// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.ipc.FastPathRpcHandler;

/**
 * The general handlers that wait for a call, to whom HBase hands one without a queue. A real-time
 * call has only those that its {@link GeneralQueue}s allow it. Thread-safe.
 */
final class ReadyHandlers extends ConcurrentLinkedDeque<FastPathRpcHandler> {

  private static final long serialVersionUID = 1;

  /** The threads that dispatch a real-time call now. */
  private static final Set<Thread> REALTIME = ConcurrentHashMap.newKeySet();

  private final transient List<GeneralQueue> queues;

  /**
   * Makes an empty stack.
   *
   * @param queues of the handlers
   */
  ReadyHandlers(List<GeneralQueue> queues) {
    this.queues = queues;
  }

  /** Has HBase dispatch a real-time call on the calling thread. */
  static boolean dispatchRealtime(BooleanSupplier dispatch) {
    REALTIME.add(Thread.currentThread());
    try {
      return dispatch.getAsBoolean();
    } finally {
      REALTIME.remove(Thread.currentThread());
    }
  }

  /** The handler for the calling thread's call; null if there is none. */
  @Override
  public FastPathRpcHandler poll() {
    if (!REALTIME.contains(Thread.currentThread())) {
      return super.poll();
    }
    for (FastPathRpcHandler handler : this) {
      for (GeneralQueue queue : queues) {
        if (queue.begins(handler)) {
          if (remove(handler)) {
            return handler;
          }
          queue.doesNotBegin(handler);
        }
      }
    }
    return null;
  }
}
