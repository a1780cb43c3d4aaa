package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.ipc.BalancedQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcExecutor;

/** The handlers and the queue of real-time calls. */
final class RealtimeRpcExecutor extends BalancedQueueRpcExecutor {

  private final int handlers;

  /**
   * @param handlers the number of threads
   * @param queueLength the number of calls that may wait
   */
  RealtimeRpcExecutor(
      int handlers,
      int queueLength,
      PriorityFunction priority,
      Configuration conf,
      Abortable server) {
    super(
        "realtime",
        handlers,
        RpcExecutor.CALL_QUEUE_TYPE_FIFO_CONF_VALUE,
        queueLength,
        priority,
        conf,
        server);
    this.handlers = handlers;
  }

  /**
   * One queue: with several, a call could wait for a busy handler while another handler is free.
   */
  @Override
  protected int computeNumCallQueues(int handlerCount, float callQueuesHandlersFactor) {
    return 1;
  }

  boolean hasFreeHandler() {
    return getActiveHandlerCount() + getQueueLength() < handlers;
  }
}
