// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.QueueBalancer;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcExecutor;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcServerInterface;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which handler serves a call, with real handlers of HBase's executors: four general ones and one
 * for real-time calls. A call runs until the test lets it end.
 */
class SharedHandlersTest {

  private static final int GENERAL = 4;
  private static final int WAIT_SECONDS = 20;

  private static final Message GET = GetRequest.newBuilder().buildPartial();
  private static final Message PUT = MutateRequest.newBuilder().buildPartial();

  private final List<Sent> sent = new ArrayList<>();
  private final Configuration conf = new Configuration(false);
  private RpcScheduler scheduler;

  /** Of the calls that are sent. */
  private long bytes;

  private RequestHeader header = RequestHeader.getDefaultInstance();

  /** A call that was sent. */
  private static final class Sent {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final boolean realtime;

    /** That of the handler. */
    private volatile String thread;

    Sent(boolean realtime) {
      this.realtime = realtime;
    }

    private Object run() {
      thread = Thread.currentThread().getName();
      begun.countDown();
      Uninterruptibles.awaitUninterruptibly(end);
      // As if the client were gone: then nothing else is done for the call.
      return 1L;
    }

    private boolean isOn(String executor) {
      return thread != null && thread.contains(executor);
    }

    private boolean isOnGeneral() {
      return isOn("default") && end.getCount() > 0;
    }

    private boolean hasBegun() {
      return begun.getCount() == 0;
    }

    private void awaitBegun(String what) throws InterruptedException {
      assertTrue(begun.await(WAIT_SECONDS, TimeUnit.SECONDS), what + " has no handler");
    }
  }

  private void start(String queues) throws IOException {
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, GENERAL);
    conf.set(HBaseKeys.HIGHEST.name(), "rt:0");
    conf.setInt(HBaseKeys.REALTIME_HANDLERS.name(), 1);
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 100_000);
    // A queue for each handler or two, as on servers with many handlers.
    if (conf.get(RpcExecutor.CALL_QUEUE_HANDLER_FACTOR_CONF_KEY) == null) {
      conf.setFloat(RpcExecutor.CALL_QUEUE_HANDLER_FACTOR_CONF_KEY, 0.5f);
    }
    if (queues.startsWith("read ratio")) {
      conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0.5f);
      conf.set(RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY, queues.substring("read ratio ".length()));
    } else {
      conf.set(RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY, queues);
    }
    PriorityFunction levels =
        new PriorityFunction() {
          @Override
          public int getPriority(RequestHeader of, Message parameter, User user) {
            return of.getPriority();
          }

          @Override
          public long getDeadline(RequestHeader header, Message parameter) {
            return 0;
          }
        };
    scheduler = new IoPriorityRpcSchedulerFactory().create(conf, levels, null);
    scheduler.init(
        new RpcScheduler.Context() {
          @Override
          public InetSocketAddress getListenerAddress() {
            return new InetSocketAddress("localhost", 1);
          }
        });
    scheduler.start();
  }

  @AfterEach
  void stop() {
    scheduler.stop();
    sent.forEach(call -> call.end.countDown());
  }

  /**
   * Waits until all general handlers wait, each for a call or for the end of one. HBase looks into
   * the queue first, and makes it known that a handler waits after that
   * (FastPathRpcHandler.getCallRunner): a call that comes in between stays in the queue until the
   * next one comes.
   */
  private static void awaitHandlers() {
    soon("the general handlers wait")
        .until(
            () -> {
              List<Thread> handlers =
                  Thread.getAllStackTraces().keySet().stream()
                      .filter(thread -> thread.getName().contains("default"))
                      .collect(Collectors.toList());
              return handlers.size() >= GENERAL
                  && handlers.stream().allMatch(each -> each.getState() == Thread.State.WAITING);
            });
  }

  private Sent send(Message parameter, String priority) throws ReflectiveOperationException {
    awaitHandlers();
    Sent call = new Sent("rt:0".equals(priority));
    sent.add(call);
    assertTrue(dispatch(parameter, priority, call));
    return call;
  }

  private boolean dispatch(Message parameter, String priority, Sent call)
      throws ReflectiveOperationException {
    long size = bytes;
    RequestHeader sentHeader = header;
    RpcCall known = Calls.call(parameter, priority, null);
    RpcCall blocking =
        proxy(
            RpcCall.class,
            (proxy, method, args) -> {
              switch (method.getName()) {
                case "disconnectSince":
                  return call.run();
                case "getSize":
                  return size;
                case "getHeader":
                  return sentHeader;
                case "cleanup":
                  return null;
                default:
                  return method.invoke(known, args);
              }
            });
    RpcServerInterface server = proxy(RpcServerInterface.class, (proxy, method, args) -> null);
    return scheduler.dispatch(Calls.runner(server, blocking));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            SharedHandlersTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private long running() {
    return sent.stream().filter(call -> call.hasBegun() && call.end.getCount() > 0).count();
  }

  /** Sends Gets and Puts of nobody in particular until all general handlers are busy. */
  private void occupyGeneralHandlers() throws Exception {
    long before = running();
    soon("the general handlers are busy")
        .until(
            () -> {
              send(GET, null);
              send(PUT, null).begun.await(10, TimeUnit.MILLISECONDS);
              return running() >= before + GENERAL;
            });
    // Each of their queues has more.
    for (int i = 0; i < 20; i++) {
      send(GET, null);
      send(PUT, null);
    }
  }

  private void occupyRealtimeHandler() throws Exception {
    soon("the real-time handler is busy")
        .until(
            () -> {
              send(GET, "rt:0").begun.await(10, TimeUnit.MILLISECONDS);
              return sent.stream().anyMatch(call -> call.isOn("realtime"));
            });
  }

  private Sent someGeneral() {
    return sent.stream().filter(Sent::isOnGeneral).findAny().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "codel", "deadline", "read ratio fifo", "read ratio deadline"})
  void aRealtimeCallThatWaitsGoesToTheGeneralHandlerThatBecomesFree(String queues)
      throws Exception {
    start(queues);
    occupyGeneralHandlers();
    occupyRealtimeHandler();
    Sent waits = send(GET, "rt:0");
    assertFalse(waits.hasBegun());
    // One for each real-time call that may stand before it, each followed by a general one.
    for (int i = 0; i < 200 && !waits.begun.await(100, TimeUnit.MILLISECONDS); i++) {
      someGeneral().end.countDown();
    }
    waits.awaitBegun("a real-time call beside a hung real-time handler");
    assertTrue(waits.isOn("default"), waits.thread);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "codel", "deadline", "read ratio fifo", "read ratio deadline"})
  void aRealtimeCallHasAFreeGeneralHandlerAtOnce(String queues) throws Exception {
    start(queues);
    Sent first = send(GET, null);
    first.end.countDown();
    first.awaitBegun("the first call");
    List<Sent> realtime = new ArrayList<>();
    // With a read ratio half of them are for Puts.
    for (int i = 0; i < 3; i++) {
      realtime.add(send(i == 2 ? PUT : GET, "rt:0"));
      realtime.get(i).awaitBegun("a real-time call beside free general handlers");
    }
    long onGeneral = realtime.stream().filter(call -> call.isOn("default")).count();
    assertTrue(onGeneral >= 2, onGeneral + " on general handlers");
  }

  @Test
  void generalCallsHaveEveryOtherTurnOfTheirHandlers() throws Exception {
    start("fifo");
    occupyGeneralHandlers();
    occupyRealtimeHandler();
    for (int i = 0; i < 8; i++) {
      send(GET, "rt:0");
    }
    long realtimeBefore = begun(true);
    long generalBefore = begun(false);
    for (int i = 0; i < 2 * GENERAL; i++) {
      Sent ends = sent.stream().filter(Sent::isOnGeneral).findFirst().orElseThrow();
      long begun = begun(true) + begun(false);
      ends.end.countDown();
      soon("a call follows").until(() -> begun(true) + begun(false) > begun);
    }
    // Of an odd number of turns a handler may have had one more of either kind.
    long realtime = begun(true) - realtimeBefore;
    long general = begun(false) - generalBefore;
    assertEquals(2 * GENERAL, realtime + general);
    assertTrue(realtime >= 2 && general >= 2, realtime + " real-time, " + general + " general");
  }

  /** Real-time calls may be slow, too: a hung disk, a long scan. */
  @ParameterizedTest
  @ValueSource(strings = {"fifo", "codel", "deadline", "read ratio fifo", "read ratio deadline"})
  void aBacklogOfSlowRealtimeCallsLeavesHalfOfTheGeneralHandlers(String queues) throws Exception {
    // Above its length the queue is the general one, also before the handlers have begun.
    conf.setInt(HBaseKeys.REALTIME_QUEUE_LENGTH.name(), 100);
    start(queues);
    // As many as are served, and some that wait.
    for (int i = 0; i < 3 * GENERAL; i++) {
      send(i % 2 == 0 ? GET : PUT, "rt:0");
    }
    // On whichever handlers they come, each that is free takes one.
    awaitOnGeneral(GENERAL / 2);
    for (int i = 0; i < 6; i++) {
      // One at a time: HBase puts two into the same queue by chance, while another has a handler.
      Sent normal = send(i % 2 == 0 ? GET : PUT, null);
      normal.awaitBegun("a normal call beside slow real-time ones");
      assertEquals(GENERAL / 2, realtimeOnGeneral(), "half of them");
      normal.end.countDown();
    }
  }

  private long realtimeOnGeneral() {
    return sent.stream().filter(call -> call.realtime && call.isOnGeneral()).count();
  }

  private void awaitOnGeneral(int calls) {
    soon(calls + " real-time calls on general").until(this::realtimeOnGeneral, on -> on >= calls);
  }

  /** A balancer of queues may look at those that it has been given. */
  public static final class LookingBalancer implements QueueBalancer {
    private final List<BlockingQueue<CallRunner>> queues;

    /** HBase's signature. */
    public LookingBalancer(
        Configuration conf, String executor, List<BlockingQueue<CallRunner>> queues) {
      this.queues = queues;
    }

    @Override
    public int getNextQueue(CallRunner call) {
      int shortest = 0;
      for (int i = 1; i < queues.size(); i++) {
        shortest = queues.get(i).size() < queues.get(shortest).size() ? i : shortest;
      }
      return shortest;
    }
  }

  @Test
  void aBalancerOfAPartOfTheQueuesSeesThoseOfTheHandlers() throws Exception {
    conf.setFloat(RpcExecutor.CALL_QUEUE_HANDLER_FACTOR_CONF_KEY, 1);
    conf.setClass(
        RpcExecutor.CALL_QUEUE_QUEUE_BALANCER_CLASS, LookingBalancer.class, QueueBalancer.class);
    start("read ratio deadline");
    // Whoever finds no waiting handler asks it.
    occupyGeneralHandlers();
    Sent last = sent.get(sent.size() - 1);
    soon("the last call begins")
        .until(
            () -> {
              sent.forEach(call -> call.end.countDown());
              return last.hasBegun();
            });
  }

  /** HBase counts the bytes of all calls together, and refuses every call above its limit. */
  @Test
  void backgroundCallsHaveHalfOfTheBytesOfTheQueuesAtMost() throws Exception {
    conf.setLong("hbase.ipc.server.max.callqueue.size", 1000);
    start("fifo");
    bytes = 200;
    List<Sent> within = List.of(send(GET, "idle"), send(GET, "idle"));
    within.get(0).awaitBegun("the first of two handlers");
    within.get(1).awaitBegun("the second");
    assertFalse(dispatch(GET, "idle", new Sent(false)), "600 bytes that wait or are served");
    send(GET, null).awaitBegun("a normal call");
    within.get(0).end.countDown();
    awaitDispatch("idle");
    // One that is larger than the limit comes alone.
    sent.forEach(call -> call.end.countDown());
    bytes = 2000;
    awaitDispatch("idle");
  }

  private void awaitDispatch(String priority) throws Exception {
    Sent call = new Sent(false);
    soon("the bytes of served calls are given back").until(() -> dispatch(GET, priority, call));
    call.awaitBegun("a call that fits again");
    sent.add(call);
  }

  @Test
  void aNewLengthOfQueuesHoldsForBackgroundCallsToo() throws Exception {
    start("fifo");
    Sent first = send(GET, "idle");
    first.awaitBegun("the first");
    send(GET, "idle").awaitBegun("the second");
    send(GET, "idle");
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 1);
    ((ConfigurationObserver) scheduler).onConfigurationChange(conf);
    assertFalse(dispatch(GET, "idle", new Sent(false)), "one waits");
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 2);
    ((ConfigurationObserver) scheduler).onConfigurationChange(conf);
    send(GET, "idle");
    assertFalse(first.end.getCount() == 0);
  }

  /** A client may write into the header of a call what it likes. */
  @Test
  void aPriorityInTheHeaderBringsNoBackgroundCallToOtherHandlers() throws Exception {
    start("fifo");
    header = RequestHeader.newBuilder().setPriority(HConstants.HIGH_QOS).build();
    Sent idle = send(GET, "idle");
    idle.awaitBegun("an idle call");
    assertTrue(idle.isOn("background"), idle.thread);
    Sent normal = send(GET, null);
    normal.awaitBegun("a normal call with a priority of HBase");
    assertTrue(normal.isOn("priority"), normal.thread);
    assertFalse(normal.isOn("background"), normal.thread);
  }

  private long begun(boolean realtime) {
    return sent.stream().filter(call -> call.realtime == realtime && call.hasBegun()).count();
  }

  @Test
  void callsBelowNormalLeaveTheGeneralHandlersToOthers() throws Exception {
    start("fifo");
    List<Sent> background = new ArrayList<>();
    for (String priority : List.of("idle", "be:5", "be:7", "idle", "idle", "idle", "idle")) {
      background.add(send(GET, priority));
    }
    background.get(0).awaitBegun("an idle call");
    background.get(1).awaitBegun("a second one");
    for (int i = 0; i < GENERAL; i++) {
      Sent normal = send(GET, i == 0 ? "be:4" : null);
      normal.awaitBegun("a normal call beside idle ones");
      assertTrue(normal.isOn("default"), normal.thread);
    }
    assertEquals(2, background.stream().filter(Sent::hasBegun).count(), "half of the handlers");
    assertTrue(background.get(0).isOn("background"), background.get(0).thread);
    background.get(0).end.countDown();
    background.get(2).awaitBegun("the next");
  }
}
