// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.BalancedQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcExecutor;

/**
 * Handlers that have one queue together: with several, a call could wait for a busy handler while
 * another handler is free.
 */
abstract class OneQueueRpcExecutor extends BalancedQueueRpcExecutor {

  /**
   * @param name in the names of the threads
   * @param handlers the number of threads
   * @param queueLength the number of calls that may wait
   */
  OneQueueRpcExecutor(
      String name,
      int handlers,
      int queueLength,
      PriorityFunction priority,
      Configuration conf,
      Abortable server) {
    super(
        name,
        handlers,
        RpcExecutor.CALL_QUEUE_TYPE_FIFO_CONF_VALUE,
        queueLength,
        priority,
        conf,
        server);
  }

  @Override
  protected int computeNumCallQueues(int handlerCount, float callQueuesHandlersFactor) {
    return 1;
  }
}
