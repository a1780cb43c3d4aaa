// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.off.FlagFile;

/**
 * Creates HBase's RPC scheduler with separate handlers for real-time calls. Switch it on with
 * {@code hbase.region.server.rpc.scheduler.factory.class}.
 *
 * <p>Real-time calls exist only if {@code hbase.regionserver.io.priority.highest} or the policy
 * file allows them.
 */
public final class IoPriorityRpcSchedulerFactory extends SimpleRpcSchedulerFactory {

  private static final int GENERAL_HANDLERS_PER_REALTIME = 10;
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
    RpcScheduler general = super.create(conf, levels, server);
    int handlers = realtimeHandlers(conf);
    if (handlers == 0 || !HBaseFit.fits()) {
      return general;
    }
    FlagFile.watch();
    Integer length = HBaseKeys.REALTIME_QUEUE_LENGTH.get(conf);
    int queueLength = length == null ? handlers * WAITING_CALLS_PER_HANDLER : length;
    return new IoPriorityRpcScheduler(
        general,
        new RealtimeRpcExecutor(handlers, queueLength, levels, conf, server),
        PriorityPolicy.from(conf),
        levels,
        conf);
  }

  static int realtimeHandlers(Configuration conf) {
    Integer configured = HBaseKeys.REALTIME_HANDLERS.get(conf);
    if (configured != null) {
      return configured;
    }
    int general =
        conf.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    return Math.max(MIN_REALTIME_HANDLERS, general / GENERAL_HANDLERS_PER_REALTIME);
  }
}
