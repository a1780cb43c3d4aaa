// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.regionserver.RpcSchedulerFactory;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.off.FlagFile;

/**
 * Creates HBase's RPC scheduler, or that of another factory, with separate handlers for real-time
 * and background calls. Switch it on with {@code hbase.region.server.rpc.scheduler.factory.class}.
 *
 * <p>Real-time calls exist only if {@code hbase.regionserver.io.priority.highest} or the policy
 * file allows them.
 */
public final class IoPriorityRpcSchedulerFactory extends SimpleRpcSchedulerFactory {

  private static final int GENERAL_HANDLERS_PER_REALTIME = 10;
  private static final int GENERAL_HANDLERS_PER_BACKGROUND = 2;
  private static final int MIN_REALTIME_HANDLERS = 2;
  private static final int WAITING_CALLS_PER_HANDLER = 10;

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a key cannot be read; the message names the key and what is
   *     allowed
   */
  @Override
  public RpcScheduler create(Configuration conf, PriorityFunction levels, Abortable server) {
    RpcSchedulerFactory other = HBaseKeys.OTHER_FACTORY.get(conf);
    RpcScheduler general =
        other == null ? super.create(conf, levels, server) : other.create(conf, levels, server);
    int realtime = realtimeHandlers(conf);
    int background = backgroundHandlers(conf);
    if ((realtime == 0 && background == 0) || !HBaseFit.fits()) {
      return general;
    }
    FlagFile.watch();
    Integer length = HBaseKeys.REALTIME_QUEUE_LENGTH.get(conf);
    int queueLength = length == null ? realtime * WAITING_CALLS_PER_HANDLER : length;
    return new IoPriorityRpcScheduler(
        general,
        realtime == 0 ? null : new RealtimeRpcExecutor(realtime, queueLength, levels, conf, server),
        background == 0
            ? null
            : new BackgroundRpcExecutor(
                background, backgroundQueueLength(conf), levels, conf, server),
        PriorityPolicy.from(conf),
        levels);
  }

  static int realtimeHandlers(Configuration conf) {
    Integer configured = HBaseKeys.REALTIME_HANDLERS.get(conf);
    if (configured != null) {
      return configured;
    }
    return Math.max(MIN_REALTIME_HANDLERS, generalHandlers(conf) / GENERAL_HANDLERS_PER_REALTIME);
  }

  static int backgroundHandlers(Configuration conf) {
    Integer configured = HBaseKeys.BACKGROUND_HANDLERS.get(conf);
    if (configured != null) {
      return configured;
    }
    return Math.max(1, generalHandlers(conf) / GENERAL_HANDLERS_PER_BACKGROUND);
  }

  /** As many as may wait in each of HBase's general queues. */
  private static int backgroundQueueLength(Configuration conf) {
    return conf.getInt(
        RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH,
        generalHandlers(conf) * WAITING_CALLS_PER_HANDLER);
  }

  private static int generalHandlers(Configuration conf) {
    return conf.getInt(
        HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
  }
}
