// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.DelegatingRpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.PolicyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call above a cap for idle waits in the background queue, and others are served meanwhile. */
class BackgroundCapTest {

  private static final Message GET = GetRequest.newBuilder().buildPartial();
  private static final int QUEUE_LENGTH = 20;
  private static final int WAIT_SECONDS = 20;

  @TempDir private Path directory;

  private final Configuration conf = new Configuration(false);

  /** A thread for each handler. */
  private final List<ExecutorService> handlers = new ArrayList<>();

  private PriorityPolicy policy;
  private BackgroundRpcExecutor background;
  private IoPriorityRpcScheduler scheduler;

  @BeforeEach
  void makeScheduler() throws IOException {
    PolicyFile access = new PolicyFile(HBaseKeys.POLICY);
    access.load(
        Files.writeString(
                directory.resolve("policy.xml"),
                "<io-priority-policy>"
                    + "<rule user='etl' highest='be:0'><cap class='idle' concurrent='2'/></rule>"
                    + "<rule user='lab' highest='idle'><cap class='idle' concurrent='1'/></rule>"
                    + "<rule user='slow' highest='be:0'><cap class='idle' rate='10'/></rule>"
                    + "</io-priority-policy>")
            .toAbsolutePath()
            .toString());
    policy = PriorityPolicy.from(conf, access);
    background = new BackgroundRpcExecutor(2, QUEUE_LENGTH, Calls.ONE_LEVEL, conf, null);
    scheduler =
        new IoPriorityRpcScheduler(
            new DelegatingRpcScheduler(null), null, background, policy, Calls.ONE_LEVEL);
    for (int i = 0; i < 4; i++) {
      handlers.add(Executors.newSingleThreadExecutor());
    }
  }

  @AfterEach
  void stop() {
    handlers.forEach(ExecutorService::shutdownNow);
  }

  private RpcCall call(String name, Message parameter, String priority) {
    User user = User.createUserForTesting(conf, name, new String[0]);
    return Calls.call(parameter, priority, null, user);
  }

  private boolean send(RpcCall call) throws ReflectiveOperationException {
    return scheduler.dispatch(Calls.runner(null, call));
  }

  private void send(String name, String priority) throws ReflectiveOperationException {
    assertTrue(send(call(name, GET, priority)), "the queue has room");
  }

  private <T> T on(int handler, Callable<T> work) throws Exception {
    return handlers.get(handler).submit(work).get(WAIT_SECONDS, TimeUnit.SECONDS);
  }

  /** The user whose call the handler serves next; null if it finds none. */
  private String next(int handler) throws Exception {
    CallRunner call = on(handler, () -> background.queue().poll());
    return call == null ? null : user(call);
  }

  private static String user(CallRunner call) {
    return call.getRpcCall().getRequestUserName().orElseThrow();
  }

  @Test
  void callsAboveACapWaitAndThoseOfOthersDoNot() throws Exception {
    for (int i = 0; i < 4; i++) {
      send("etl", "idle");
    }
    send("other", "idle");
    assertEquals("etl", next(0));
    assertEquals("etl", next(1));
    assertEquals("other", next(2), "the first without a cap");
    assertNull(next(3), "two at a time");
    send("etl", "be:7");
    assertEquals("etl", next(3), "at another class");
    assertNull(next(3));
    assertEquals("etl", next(0), "the place that the same handler has given back");
    assertNull(next(2));
    assertEquals(1, background.getQueueLength());
    assertEquals("etl", next(1));
    assertEquals(0, background.getQueueLength());
  }

  /** Such a call states nothing, and all of its user's are idle. */
  @Test
  void theCapCountsCallsThatTheRuleMakesIdle() throws Exception {
    send("lab", null);
    send("lab", "rt:0");
    send("lab", "idle");
    assertEquals("lab", next(0));
    assertNull(next(1));
    assertEquals("lab", next(0));
    assertNull(next(1));
    assertEquals("lab", next(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"idle", ""})
  void theCapCountsLaterCallsOfAScan(String stated) throws Exception {
    long id = 4712;
    RpcCall opens = call("lab", GET, stated.isEmpty() ? null : stated);
    PriorityResolver resolver = new PriorityResolver(policy);
    PriorityResolver.Asked asked = resolver.asked(null, new CallRequester(opens, null));
    ScannerPriorities.opened(id, new ScanPriority(resolver, asked, null, opens, null));
    try {
      Message next = ScanRequest.newBuilder().setScannerId(id).build();
      assertTrue(send(call("lab", next, null)));
      assertTrue(send(call("lab", next, null)));
      assertEquals("lab", next(0));
      assertNull(next(1));
    } finally {
      ScannerPriorities.closed(id);
    }
  }

  /** Its scanner would be gone, or keep its files open. */
  @Test
  void whatEndsOrRenewsAScanDoesNotWait() throws Exception {
    long id = 4713;
    RpcCall opens = call("lab", GET, "idle");
    PriorityResolver resolver = new PriorityResolver(policy);
    PriorityResolver.Asked asked = resolver.asked(null, new CallRequester(opens, null));
    ScannerPriorities.opened(id, new ScanPriority(resolver, asked, null, opens, null));
    try {
      send("lab", "idle");
      assertEquals("lab", next(0));
      ScanRequest.Builder scan = ScanRequest.newBuilder().setScannerId(id);
      assertTrue(send(call("lab", scan.setNumberOfRows(10).build(), null)));
      assertNull(next(1), "reads");
      assertTrue(send(call("lab", scan.setRenew(true).build(), null)));
      assertEquals("lab", next(1));
      assertTrue(send(call("lab", scan.setRenew(false).setCloseScanner(true).build(), null)));
      assertNull(next(2), "reads");
      assertTrue(send(call("lab", scan.setNumberOfRows(0).build(), null)));
      assertEquals("lab", next(2));
    } finally {
      ScannerPriorities.closed(id);
    }
  }

  @Test
  void aServerThatObservesServesWhatWaited() throws Exception {
    send("lab", "idle");
    send("lab", "idle");
    assertEquals("lab", next(0));
    assertNull(next(1));
    OffSwitch.setObserving(true);
    try {
      assertEquals("lab", next(1));
    } finally {
      OffSwitch.setObserving(false);
    }
  }

  /** Wherever in the batch the idle one stands. */
  @Test
  void aBatchNeedsAPlaceForItsIdleOperations() throws Exception {
    send("etl", "idle");
    send("etl", "idle");
    assertEquals("etl", next(0));
    assertEquals("etl", next(1));
    assertTrue(send(call("etl", DispatchPriorityTest.batch("be:7", "be:0", "idle"), null)));
    assertTrue(send(call("etl", DispatchPriorityTest.batch("be:7", "be:0"), null)));
    assertEquals("etl", next(2), "the one without");
    assertNull(next(3));
  }

  /** Others need the rest. */
  @Test
  void callsAboveACapHaveHalfOfTheQueueAtMost() throws Exception {
    for (int i = 0; i < QUEUE_LENGTH / 2; i++) {
      send("lab", "idle");
    }
    assertEquals("lab", next(0));
    send("lab", "idle");
    assertFalse(send(call("lab", GET, "idle")));
    for (int i = 0; i < QUEUE_LENGTH / 2; i++) {
      send("other", "idle");
    }
    assertFalse(send(call("other", GET, "idle")), "full");
    assertEquals("other", next(1));
  }

  /** Of which many may wait, and network threads with whoever looks. */
  @Test
  void aLookCostsTheSameHoweverManyCallsAreAboveACap() throws Exception {
    BackgroundRpcExecutor large = new BackgroundRpcExecutor(2, 10_000, Calls.ONE_LEVEL, conf, null);
    scheduler =
        new IoPriorityRpcScheduler(
            new DelegatingRpcScheduler(null), null, large, policy, Calls.ONE_LEVEL);
    send("lab", "idle");
    assertEquals("lab", user(on(0, () -> large.queue().poll())));
    send("lab", "idle");
    long few = bytesOfALook(large.queue());
    for (int i = 0; i < 2_000; i++) {
      send("lab", "idle");
    }
    long many = bytesOfALook(large.queue());
    assertTrue(many < 10 * few + 20_000, many + " bytes allocated, and " + few + " for one call");
  }

  /** Each question to a cap allocates. */
  private long bytesOfALook(BackgroundQueue queue) throws Exception {
    return on(
        1,
        () -> {
          assertNull(queue.poll());
          ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
          long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
          assertNull(queue.poll());
          return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        });
  }

  @Test
  void theQueueShowsItsCallsInTheOrderOfTheirComing() throws Exception {
    for (String name : List.of("lab", "other", "etl", "lab", "other")) {
      send(name, "idle");
    }
    List<String> shown = new ArrayList<>();
    background.queue().forEach(call -> shown.add(user(call)));
    assertEquals(List.of("lab", "other", "etl", "lab", "other"), shown);
    assertEquals("lab", next(0));
    assertEquals("other", next(1));
    assertEquals("etl", next(2));
    assertEquals("other", next(3));
    assertNull(next(3));
    assertEquals("lab", next(0));
  }

  @Test
  void aHandlerThatWaitsTakesTheCallWhoseCapHasAPlaceAgain() throws Exception {
    send("lab", "idle");
    assertEquals("lab", next(0));
    send("lab", "idle");
    Future<CallRunner> waits = handlers.get(1).submit(() -> background.queue().take());
    send("other", "idle");
    assertEquals("other", user(waits.get(WAIT_SECONDS, TimeUnit.SECONDS)));
    waits = handlers.get(1).submit(() -> background.queue().take());
    Future<CallRunner> waitsToo = handlers.get(2).submit(() -> background.queue().take());
    assertFalse(waits.isDone() || waitsToo.isDone());
    // Its next call is another.
    send("other", "idle");
    assertNotNull(on(0, () -> background.queue().take()));
    // One of the two has had the first of these.
    send("other", "idle");
    assertNotNull(waits.get(WAIT_SECONDS, TimeUnit.SECONDS));
    assertNotNull(waitsToo.get(WAIT_SECONDS, TimeUnit.SECONDS));
  }

  /** As the operations of a batch do. */
  @Test
  void whatIsServedAboveTheRateIsOwedByTheNextCall() throws Exception {
    send("slow", "idle");
    send("slow", "idle");
    long begin = System.nanoTime();
    assertEquals("slow", next(0));
    CallPriorityProvider provider = new CallPriorityProvider(policy);
    on(
        0,
        () -> {
          RpcServer.setCurrentCall(call("slow", GET, "idle"));
          try {
            for (int i = 0; i < 15; i++) {
              provider.noteOperation(new Object(), null, null);
            }
          } finally {
            RpcServer.setCurrentCall(null);
          }
          return null;
        });
    assertEquals("slow", user(on(1, () -> background.queue().take())));
    long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    assertTrue(waited >= 600, waited + " ms for 15 at 10 a second, a second's worth free");
  }
}
