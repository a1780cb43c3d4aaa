// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.DelegatingRpcScheduler;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.log.HopTrace;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.Reservation;
import org.slf4j.LoggerFactory;

/**
 * HBase's RPC scheduler with additional handlers that serve only real-time calls.
 *
 * <p>A real-time call goes to a free real-time handler, else to a free general handler. If neither
 * is free, it waits in the real-time queue or, if that is full, in the general queue; so it is
 * never refused for being real-time. Above a cap of the policy for real-time, with a latency target
 * of more than a second and as a large batch it takes the general handlers, too, and does not delay
 * calls of others. This applies only to calls for HBase's general queue. Calls on meta, replication
 * and bulk load are scheduled as in stock HBase.
 *
 * <p>The metrics count real-time calls and handlers as general ones. The list of queued calls
 * ({@link #getCallQueueInfo}) does not contain real-time calls, since only HBase's own package can
 * add to it.
 */
final class IoPriorityRpcScheduler extends DelegatingRpcScheduler implements ConfigurationObserver {

  private static final RateLimitedLog UNREADABLE =
      new RateLimitedLog(LoggerFactory.getLogger(IoPriorityRpcScheduler.class));

  private static final int TRACED_ROW_BYTES = 32;

  private final RealtimeRpcExecutor realtime;
  private final DispatchPriority priorities;
  private final PriorityFunction levels;
  private final int generalHandlers;
  private final boolean generalHandsOff;
  private int port;

  IoPriorityRpcScheduler(
      RpcScheduler general,
      RealtimeRpcExecutor realtime,
      PriorityPolicy policy,
      PriorityFunction levels,
      Configuration conf) {
    super(general);
    this.realtime = realtime;
    this.priorities = new DispatchPriority(new PriorityResolver(policy));
    this.levels = levels;
    this.generalHandlers =
        conf.getInt(
            HConstants.REGION_SERVER_HANDLER_COUNT, HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    this.generalHandsOff = handsOff(conf);
  }

  /** Whether any free handler of the general executor takes the next call. */
  private static boolean handsOff(Configuration conf) {
    String type =
        conf.get(RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY, RpcExecutor.CALL_QUEUE_TYPE_CONF_DEFAULT);
    boolean split = conf.getFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0) > 0;
    return !split && (RpcExecutor.isFifoQueueType(type) || RpcExecutor.isCodelQueueType(type));
  }

  @Override
  public void init(Context context) {
    super.init(context);
    port = context.getListenerAddress().getPort();
  }

  @Override
  public void start() {
    super.start();
    realtime.start(port);
  }

  @Override
  public void stop() {
    super.stop();
    realtime.stop();
  }

  @Override
  public boolean dispatch(CallRunner task) {
    Reservation places = realtimePlaces(task.getRpcCall());
    return (places != null && realtime.dispatch(task, places)) || super.dispatch(task);
  }

  /**
   * The places that the call needs for the real-time handlers; null if the general ones are to
   * serve it. Runs on a network thread, where an exception would close the client's connection.
   */
  private Reservation realtimePlaces(RpcCall call) {
    if (OffSwitch.isOff(AgentModule.REGIONSERVER) || OffSwitch.isObserving()) {
      return null;
    }
    Reservation places = null;
    try {
      CallContents contents = new CallContents(call);
      IoPriority priority = priorities.of(contents);
      boolean prefers = isRealtime(call, priority) && !generalServesSooner();
      places = prefers ? priorities.reserve(contents) : null;
      trace(call, priority, places != null);
      return places;
    } catch (RuntimeException e) {
      UNREADABLE.warn(
          "Cannot determine the priority of a call; the general handlers serve it: " + e);
      if (places != null) {
        places.release();
      }
      return null;
    }
  }

  private boolean isRealtime(RpcCall call, IoPriority priority) {
    if (!DispatchPriority.isUrgent(priority)) {
      return false;
    }
    int level =
        levels.getPriority(call.getHeader(), call.getParam(), call.getRequestUser().orElse(null));
    return level <= HConstants.QOS_THRESHOLD
        && level != HConstants.REPLICATION_QOS
        && level != HConstants.BULKLOAD_QOS;
  }

  private boolean generalServesSooner() {
    return !realtime.hasFreeHandler() && generalHasFreeHandler();
  }

  private boolean generalHasFreeHandler() {
    return generalHandsOff
        && super.getGeneralQueueLength() == 0
        && super.getActiveGeneralRpcHandlerCount() < generalHandlers;
  }

  private static void trace(RpcCall call, IoPriority priority, boolean prefersRealtime) {
    if (!HopTrace.isOn()) {
      return;
    }
    Message parameter = call.getParam();
    TablePriority table = RegionTables.of(CallParameters.region(parameter));
    if (table == null || !table.isUserTable()) {
      return;
    }
    HopTrace.hop(
        "regionserver-rpc",
        priority,
        "method="
            + call.getMethod().getName()
            + " table="
            + table.tableName()
            + " row="
            + CallParameters.printableRow(parameter, TRACED_ROW_BYTES)
            + " queue="
            + (prefersRealtime ? "realtime" : "general"));
  }

  @Override
  public void onConfigurationChange(Configuration conf) {
    if (delegate instanceof ConfigurationObserver) {
      ((ConfigurationObserver) delegate).onConfigurationChange(conf);
    }
  }

  @Override
  public int getGeneralQueueLength() {
    return super.getGeneralQueueLength() + realtime.getQueueLength();
  }

  @Override
  public int getActiveRpcHandlerCount() {
    return super.getActiveRpcHandlerCount() + realtime.getActiveHandlerCount();
  }

  @Override
  public int getActiveGeneralRpcHandlerCount() {
    return super.getActiveGeneralRpcHandlerCount() + realtime.getActiveHandlerCount();
  }

  // DelegatingRpcScheduler returns 0 for the rest instead of delegating.

  @Override
  public int getWriteQueueLength() {
    return delegate.getWriteQueueLength();
  }

  @Override
  public int getReadQueueLength() {
    return delegate.getReadQueueLength();
  }

  @Override
  public int getScanQueueLength() {
    return delegate.getScanQueueLength();
  }

  @Override
  public int getActiveWriteRpcHandlerCount() {
    return delegate.getActiveWriteRpcHandlerCount();
  }

  @Override
  public int getActiveReadRpcHandlerCount() {
    return delegate.getActiveReadRpcHandlerCount();
  }

  @Override
  public int getActiveScanRpcHandlerCount() {
    return delegate.getActiveScanRpcHandlerCount();
  }
}
