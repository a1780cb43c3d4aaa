// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.DelegatingRpcScheduler;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.log.HopTrace;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.Reservation;
import org.slf4j.LoggerFactory;

/**
 * HBase's RPC scheduler with additional handlers that serve only real-time calls, and others that
 * serve only background calls.
 *
 * <p>A real-time call goes to a free real-time handler, else to a free general handler, of which it
 * leaves others half. If neither is free, it waits in the real-time queue for whichever becomes
 * free first or, if that is full, in the general queue; so it is never refused for being real-time.
 * Above a cap of the policy for real-time, with a latency target of more than a second and as a
 * large batch it takes the general handlers, too, and does not delay calls of others.
 *
 * <p>A background call, at idle or at best-effort below be:4, has the background handlers and their
 * queue, so that its reads, which wait for the disk longer than others, occupy no other handler.
 * Above a cap of the policy for idle it waits there until there is a place.
 *
 * <p>This applies only to calls for HBase's general queue. Calls on meta, replication and bulk load
 * are scheduled as in stock HBase.
 *
 * <p>The metrics count these calls and handlers as general ones. The list of queued calls ({@link
 * #getCallQueueInfo}) does not contain them, since only HBase's own package can add to it.
 */
final class IoPriorityRpcScheduler extends DelegatingRpcScheduler implements ConfigurationObserver {

  private static final RateLimitedLog UNREADABLE =
      new RateLimitedLog(LoggerFactory.getLogger(IoPriorityRpcScheduler.class));

  private static final int TRACED_ROW_BYTES = 32;

  private final RealtimeRpcExecutor realtime;

  /** Whether the general handlers serve the real-time queue, too. */
  private final boolean shared;

  private final BackgroundRpcExecutor background;
  private final DispatchPriority priorities;
  private final PriorityFunction levels;
  private int port;

  /**
   * Makes the scheduler.
   *
   * @param general HBase's, not yet started
   * @param realtime null for no handlers of their own for real-time calls
   * @param background null for none for background calls
   */
  IoPriorityRpcScheduler(
      RpcScheduler general,
      RealtimeRpcExecutor realtime,
      BackgroundRpcExecutor background,
      PriorityPolicy policy,
      PriorityFunction levels) {
    super(general);
    this.realtime = realtime;
    this.shared = realtime != null && GeneralQueues.share(general, realtime);
    this.background = background;
    this.priorities = new DispatchPriority(new PriorityResolver(policy));
    this.levels = levels;
  }

  @Override
  public void init(Context context) {
    super.init(context);
    port = context.getListenerAddress().getPort();
  }

  @Override
  public void start() {
    super.start();
    if (realtime != null) {
      realtime.start(port);
    }
    if (background != null) {
      background.start(port);
    }
  }

  @Override
  public void stop() {
    super.stop();
    if (realtime != null) {
      realtime.stop();
    }
    if (background != null) {
      background.stop();
    }
  }

  @Override
  public boolean dispatch(CallRunner task) {
    Route route = route(task.getRpcCall());
    if (route == Route.GENERAL) {
      return super.dispatch(task);
    }
    return route.isBackground
        ? background.dispatch(task, route.places)
        : dispatchRealtime(task, route.places);
  }

  private boolean dispatchRealtime(CallRunner task, Reservation places) {
    RealtimeQueue queue = realtime.queue();
    boolean claimed = queue.claim();
    if (claimed || !shared) {
      return realtime.dispatch(task, places, claimed) || super.dispatch(task);
    }
    // A free general handler takes it at once, or else a general queue hands it on to this one.
    queue.comes(task, places, false);
    if (ReadyHandlers.dispatchRealtime(() -> super.dispatch(task))) {
      queue.goesUnlessQueued(task);
      return true;
    }
    return realtime.dispatchExpected(task);
  }

  /** Which handlers are to serve a call. Immutable. */
  private static final class Route {
    static final Route GENERAL = new Route(false, null);

    private final boolean isBackground;

    /** Those that a real-time call has in the caps, or that a background call has to wait for. */
    private final Reservation places;

    Route(boolean isBackground, Reservation places) {
      this.isBackground = isBackground;
      this.places = places;
    }

    @Override
    public String toString() {
      return this == GENERAL ? "general" : isBackground ? "background" : "realtime";
    }
  }

  /** Runs on a network thread, where an exception would close the client's connection. */
  private Route route(RpcCall call) {
    if (OffSwitch.isOff(AgentModule.REGIONSERVER) || OffSwitch.isObserving()) {
      return Route.GENERAL;
    }
    try {
      CallContents contents = new CallContents(call);
      IoPriority priority = priorities.of(contents);
      Route route = route(contents, priority);
      trace(call, priority, route);
      return route;
    } catch (RuntimeException e) {
      UNREADABLE.warn(
          "Cannot determine the priority of a call; the general handlers serve it: " + e);
      return Route.GENERAL;
    }
  }

  private Route route(CallContents contents, IoPriority priority) {
    if (background != null && DispatchPriority.isBackground(priority)) {
      return isGeneral(contents.call(), withoutPriority(contents.call().getHeader()))
          ? new Route(true, priorities.waiting(contents))
          : Route.GENERAL;
    }
    if (realtime == null
        || !DispatchPriority.isUrgent(priority)
        || !isGeneral(contents.call(), contents.call().getHeader())) {
      return Route.GENERAL;
    }
    Reservation places = priorities.reserve(contents);
    return places == null ? Route.GENERAL : new Route(false, places);
  }

  /**
   * What a client writes there for HBase's own handlers must not bring background calls to them: it
   * may write what it likes.
   */
  private static RequestHeader withoutPriority(RequestHeader header) {
    return header.hasPriority() ? header.toBuilder().clearPriority().build() : header;
  }

  /** Whether HBase would serve the call with its general handlers. */
  private boolean isGeneral(RpcCall call, RequestHeader header) {
    int level = levels.getPriority(header, call.getParam(), call.getRequestUser().orElse(null));
    return level <= HConstants.QOS_THRESHOLD
        && level != HConstants.REPLICATION_QOS
        && level != HConstants.BULKLOAD_QOS;
  }

  private static void trace(RpcCall call, IoPriority priority, Route route) {
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
            + route);
  }

  @Override
  public void onConfigurationChange(Configuration conf) {
    if (delegate instanceof ConfigurationObserver) {
      ((ConfigurationObserver) delegate).onConfigurationChange(conf);
    }
    if (background != null) {
      background.resizeQueues(conf);
    }
  }

  @Override
  public int getGeneralQueueLength() {
    return super.getGeneralQueueLength()
        + (realtime == null ? 0 : realtime.getQueueLength())
        + (background == null ? 0 : background.getQueueLength());
  }

  @Override
  public int getActiveRpcHandlerCount() {
    return super.getActiveRpcHandlerCount() + additionalActive();
  }

  @Override
  public int getActiveGeneralRpcHandlerCount() {
    return super.getActiveGeneralRpcHandlerCount() + additionalActive();
  }

  private int additionalActive() {
    return (realtime == null ? 0 : realtime.getActiveHandlerCount())
        + (background == null ? 0 : background.getActiveHandlerCount());
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
