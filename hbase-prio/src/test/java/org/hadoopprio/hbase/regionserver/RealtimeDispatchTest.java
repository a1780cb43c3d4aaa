// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.ipc.CallRunner;
import org.apache.hadoop.hbase.ipc.DelegatingRpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.PolicyFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which queue a call comes into, where all handlers are busy and the policy has caps. */
class RealtimeDispatchTest {

  private static final Message GET = GetRequest.newBuilder().buildPartial();
  private static final int QUEUE_LENGTH = 50;
  private static final int LARGEST = 1000;

  @TempDir private Path directory;

  private final Configuration conf = new Configuration(false);
  private final List<CallRunner> general = new ArrayList<>();
  private PriorityPolicy policy;
  private RealtimeRpcExecutor realtime;
  private IoPriorityRpcScheduler scheduler;

  @BeforeEach
  void makeScheduler() throws Exception {
    PolicyFile access = new PolicyFile(HBaseKeys.POLICY);
    access.load(
        Files.writeString(
                directory.resolve("policy.xml"),
                "<io-priority-policy>"
                    + "<rule user='alice' highest='rt:0'><cap class='rt' concurrent='2'/></rule>"
                    + "<rule user='carol' highest='rt:0'><cap class='rt' rate='5'/></rule>"
                    + "<rule user='*' table='limited' highest='be:0'/>"
                    + "<rule user='*' highest='rt:0'/></io-priority-policy>")
            .toAbsolutePath()
            .toString());
    policy = PriorityPolicy.from(conf, access);
    realtime = new RealtimeRpcExecutor(1, QUEUE_LENGTH, Calls.ONE_LEVEL, conf, null);
    scheduler =
        new IoPriorityRpcScheduler(new BusyScheduler(), realtime, null, policy, Calls.ONE_LEVEL);
  }

  /** Has no free handler, and room for all calls. */
  private final class BusyScheduler extends DelegatingRpcScheduler {

    BusyScheduler() {
      super(null);
    }

    @Override
    public boolean dispatch(CallRunner task) {
      return general.add(task);
    }

    @Override
    public int getGeneralQueueLength() {
      return 1;
    }
  }

  private void send(String name, Message parameter) throws ReflectiveOperationException {
    send(call(name, parameter));
  }

  private RpcCall call(String name, Message parameter) {
    return call(name, parameter, "rt:0");
  }

  private RpcCall call(String name, Message parameter, String priority) {
    User user = User.createUserForTesting(conf, name, new String[0]);
    return Calls.call(parameter, priority, null, user);
  }

  private void send(RpcCall call) throws ReflectiveOperationException {
    scheduler.dispatch(Calls.runner(null, call));
  }

  private void assertQueued(int inRealtime, int inGeneral) {
    assertEquals(inRealtime, realtime.getQueueLength(), "real-time");
    assertEquals(inGeneral, general.size(), "general");
  }

  /** What a handler does; this thread is one. */
  private void take() throws InterruptedException {
    realtime.queue().take();
  }

  @Test
  void theCallsOfACappedUserDoNotStandBeforeThoseOfOthers() throws Exception {
    for (int i = 0; i < 200; i++) {
      send("alice", GET);
    }
    assertQueued(2, 198);
    send("bob", GET);
    assertQueued(3, 198);

    take();
    send("alice", GET);
    assertQueued(2, 199);
    take();
    send("alice", GET);
    assertQueued(2, 199);
  }

  @Test
  void aFullQueueGivesThePlacesBack() throws Exception {
    for (int i = 0; i < QUEUE_LENGTH; i++) {
      send("bob", GET);
    }
    for (int i = 0; i < 10; i++) {
      send("alice", GET);
    }
    assertQueued(QUEUE_LENGTH, 10);
    take();
    take();
    take();
    send("alice", GET);
    send("alice", GET);
    send("alice", GET);
    assertQueued(QUEUE_LENGTH - 1, 11);
  }

  @Test
  void aBatchOfMoreThanTheRateHasTheGeneralHandlers() throws Exception {
    send("carol", batch(5));
    assertQueued(1, 0);
    send("carol", batch(6));
    assertQueued(1, 1);
  }

  /** HBase searches all attributes of a request for each look. */
  @Test
  void theHintsOfABatchAreLookedUpOnce() throws Exception {
    AtomicInteger lookups = new AtomicInteger();
    send(Calls.counting(call("bob", batch(LARGEST)), "getRequestAttribute", lookups));
    assertQueued(1, 0);
    assertEquals(1, lookups.get());
  }

  /** Each look at an operation asks who has sent it; the first tells whether it is background. */
  @Test
  void aLargeBatchHasTheGeneralHandlersWithoutALookAtItsOtherOperations() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    send(Calls.counting(call("bob", batch(LARGEST + 1)), "getRequestUser", looks));
    assertQueued(0, 1);
    send(Calls.counting(call("bob", batch(50, 1000)), "getRequestUser", looks));
    assertQueued(0, 2);
    send(Calls.counting(call("bob", batch(LARGEST + 1, 0)), "getRequestUser", looks));
    assertQueued(0, 3);
    assertTrue(looks.get() <= 6, looks + " looks at three batches");
  }

  /** A DataNode holds a read for as long as its target allows, and its handler waits. */
  @Test
  void aCallWithALongTargetHasTheGeneralHandlers() throws Exception {
    send(call("bob", GET, "rt:0@1s"));
    assertQueued(1, 0);
    send(call("bob", GET, "rt:0@1001ms"));
    assertQueued(1, 1);
    send(call("bob", GET, "rt:0@60s"));
    assertQueued(1, 2);
  }

  @Test
  void aBatchHasTheGeneralHandlersForOneLongTarget() throws Exception {
    send(call("bob", DispatchPriorityTest.batch("rt:0", "rt:0@1s"), null));
    assertQueued(1, 0);
    send(call("bob", DispatchPriorityTest.batch("rt:0", "rt:0@60s"), null));
    assertQueued(1, 1);
    send(call("bob", DispatchPriorityTest.batch("rt:0@60s", "rt:1"), null));
    assertQueued(1, 2);
  }

  /** A client may name a region as it likes. */
  @Test
  void theRulesOfATableApplyByEachNameOfItsRegions() throws Exception {
    RegionInfo region = RegionInfoBuilder.newBuilder(TableName.valueOf("limited")).build();
    TablePriority table = PriorityResolverTest.table("limited", null);
    RegionTables.opened(region, table);
    try {
      send("bob", get(RegionSpecifierType.REGION_NAME, region.getRegionName()));
      assertQueued(0, 1);
      send("bob", get(RegionSpecifierType.ENCODED_REGION_NAME, region.getEncodedNameAsBytes()));
      assertQueued(0, 2);
      // HBase looks at the end only.
      byte[] alias = Bytes.toBytes("other,,1." + region.getEncodedName() + ".");
      send("bob", get(RegionSpecifierType.REGION_NAME, alias));
      assertQueued(0, 3);
    } finally {
      RegionTables.closed(region, table);
    }
    send("bob", get(RegionSpecifierType.ENCODED_REGION_NAME, region.getEncodedNameAsBytes()));
    assertQueued(1, 3);
  }

  private static Message get(RegionSpecifierType type, byte[] name) {
    GetRequest.Builder get = GetRequest.newBuilder();
    get.getRegionBuilder().setType(type).setValue(ByteString.copyFrom(name));
    return get.buildPartial();
  }

  private static Message batch(int gets) {
    return batch(1, gets);
  }

  private static Message batch(int regions, int getsOfEach) {
    RegionAction.Builder region = RegionAction.newBuilder();
    for (int i = 0; i < getsOfEach; i++) {
      region.addActionBuilder().getGetBuilder();
    }
    RegionAction each = region.buildPartial();
    return MultiRequest.newBuilder()
        .addAllRegionAction(Collections.nCopies(regions, each))
        .buildPartial();
  }

  /** Ids of scanners are numbers that anybody can write. */
  @Test
  void theIdOfAnotherUsersScannerTakesNoPlaceOfHis() throws Exception {
    long id = 4711;
    RpcCall opens = call("alice", GET, "rt:0");
    PriorityResolver resolver = new PriorityResolver(policy);
    PriorityResolver.Asked asked = resolver.asked(null, new CallRequester(opens, null));
    ScanPriority scan = new ScanPriority(resolver, asked, null, opens, IoPriority.realtime(0));
    ScannerPriorities.opened(id, scan);
    try {
      Message next = ScanRequest.newBuilder().setScannerId(id).build();
      for (int i = 0; i < 5; i++) {
        send(call("bob", next, null));
      }
      send("alice", GET);
      send(call("alice", next, null));
      int inRealtime = realtime.getQueueLength();
      send("alice", GET);
      assertEquals(inRealtime, realtime.getQueueLength(), "alice's two");
      assertEquals(1, general.size(), "her third");
    } finally {
      ScannerPriorities.closed(id);
    }
  }

  @Test
  void aHandlerThatIsInterruptedIsNotClaimed() throws Exception {
    RealtimeQueue queue = realtime.queue();
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, queue::take);
    assertFalse(queue.claim());
  }

  @Test
  void whileItIsOffTheGeneralHandlersServeAll() throws Exception {
    OffSwitch.set("test", AgentModule.ALL, "a test");
    try {
      send("bob", GET);
      assertQueued(0, 1);
    } finally {
      OffSwitch.set("test", Set.of(), "");
    }
    send("bob", GET);
    assertQueued(1, 1);
  }

  @Test
  void whileItObservesTheGeneralHandlersServeAll() throws Exception {
    OffSwitch.setObserving(true);
    try {
      send("bob", GET);
      assertQueued(0, 1);
    } finally {
      OffSwitch.setObserving(false);
    }
    send("bob", GET);
    assertQueued(1, 1);
  }
}
