// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.BalancedQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcExecutor;

/**
 * The handlers and the queue of background calls, whose reads may have to wait for the disk for
 * seconds. No other handler serves them; if the queue is full they are refused, as HBase refuses
 * calls for its own full queue.
 */
final class BackgroundRpcExecutor extends BalancedQueueRpcExecutor {

  /**
   * Makes the executor.
   *
   * @param handlers the number of threads
   * @param queueLength the number of calls that may wait
   */
  BackgroundRpcExecutor(
      int handlers,
      int queueLength,
      PriorityFunction priority,
      Configuration conf,
      Abortable server) {
    super(
        "background",
        handlers,
        RpcExecutor.CALL_QUEUE_TYPE_FIFO_CONF_VALUE,
        queueLength,
        priority,
        conf,
        server);
  }

  /** One queue, so that no call waits for a busy handler while another is free. */
  @Override
  protected int computeNumCallQueues(int handlerCount, float callQueuesHandlersFactor) {
    return 1;
  }
}
