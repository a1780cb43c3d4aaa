// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.metrics.ClassMetrics;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.PolicyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallPriorityProviderTest {

  private static final IoPriority RT3 = IoPriority.realtime(3);
  private static final byte[] RT3_TEXT = Bytes.toBytes("rt:3");

  private final CallPriorityProvider provider =
      new CallPriorityProvider(PriorityResolverTest.policy("rt:0", ""));
  private final TablePriority plain = PriorityResolverTest.table("t", null);

  @AfterEach
  void leaveNoCallBehind() {
    RpcServer.setCurrentCall(null);
  }

  @Test
  void withoutACallThereIsNoAnswer() throws Exception {
    assertNull(provider.noteOperation(RT3_TEXT, RT3_TEXT, plain));
    assertNull(provider.current());
  }

  @Test
  void anOperationKeepsItsPriorityOnlyForItsCall() throws Exception {
    RpcServer.setCurrentCall(call(null));
    assertEquals(RT3, provider.noteOperation(RT3_TEXT, RT3_TEXT, plain));
    assertEquals(RT3, provider.current());

    RpcServer.setCurrentCall(null);
    assertNull(provider.current(), "between two calls");

    RpcServer.setCurrentCall(call(null));
    assertNull(provider.current(), "the next call, which no hook announced");
    RpcServer.setCurrentCall(call("idle"));
    assertEquals(IoPriority.IDLE, provider.current(), "the next call's own request attribute");
  }

  @Test
  void aFollowingOperationOfTheSameCallInheritsNothing() throws Exception {
    RpcServer.setCurrentCall(call(null));
    provider.noteOperation(RT3_TEXT, RT3_TEXT, plain);
    assertNull(provider.noteOperation(null, null, plain));
    assertNull(provider.current());
    assertEquals(
        IoPriority.bestEffort(7),
        provider.noteOperation(null, null, PriorityResolverTest.table("u", "be:7")));
    assertNull(provider.noteOperation(null, null, plain));
    assertNull(provider.current());
  }

  @Test
  void whatTheServerHasUsedIsTakenOffTheTarget() throws Exception {
    AtomicLong clock = new AtomicLong(1_000_000);
    EnvironmentEdgeManager.injectEdge(clock::get);
    try {
      byte[] within = Bytes.toBytes("rt:3@100ms");
      RpcServer.setCurrentCall(call("be:2@50ms"));
      clock.addAndGet(12);
      assertEquals("be:2@38ms", provider.current().toString(), "from the queue, without a note");
      assertEquals(RT3.within(100), provider.noteOperation(within, within, plain));
      assertEquals("rt:3@88ms", provider.current().toString());
      clock.addAndGet(200);
      assertEquals("rt:3@1ms", provider.current().toString(), "late");
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }

  @Test
  void severalHooksOfOneOperationReportItOnce() throws Exception {
    RpcServer.setCurrentCall(call(null));
    byte[] malformed = Bytes.toBytes("turbo");
    long before = PriorityMetrics.MALFORMED.sum();
    provider.noteOperation(malformed, malformed, plain);
    provider.noteOperation(malformed, malformed, plain);
    assertEquals(1, PriorityMetrics.MALFORMED.sum() - before);
    byte[] other = malformed.clone();
    provider.noteOperation(other, other, plain);
    assertEquals(2, PriorityMetrics.MALFORMED.sum() - before, "another operation, same text");
  }

  /** They hold the locks of their rows and one of the region. */
  @Test
  void theReadsOfMutationsAreNormalAtLeast() throws Exception {
    byte[] idle = Bytes.toBytes("idle");
    Increment increment = new Increment(Bytes.toBytes("r"));
    RpcServer.setCurrentCall(call(null));
    assertEquals(IoPriority.IDLE, provider.noteMutation(increment, idle, plain, true));
    assertEquals(IoPriority.NONE, provider.current());
    assertEquals(IoPriority.IDLE, provider.noteOperation(idle, idle, plain));
    assertEquals(IoPriority.IDLE, provider.current(), "a Get of the same batch");
    provider.noteMutation(new Append(Bytes.toBytes("r")), RT3_TEXT, plain, true);
    assertEquals(RT3, provider.current());
    RpcServer.setCurrentCall(Calls.call(MutateRequest.getDefaultInstance(), "be:7", null));
    assertEquals(IoPriority.NONE, provider.current(), "not announced");
    RpcServer.setCurrentCall(
        Calls.call(CoprocessorServiceRequest.getDefaultInstance(), "idle", null));
    MutateRowsRequest rows = MutateRowsRequest.getDefaultInstance();
    provider.noteOperation(rows, null, plain);
    assertEquals(IoPriority.NONE, provider.current(), "HBase's endpoint for rows");
  }

  /** HBase takes the scanner by its id, and what its client writes beside that does not count. */
  @Test
  void aLaterCallOfAScanStatesNothingOfItsOwn() throws Exception {
    RegionInfo hot = RegionInfoBuilder.newBuilder(TableName.valueOf("hot")).build();
    TablePriority hotTable = PriorityResolverTest.table("hot", "rt:1");
    RegionTables.opened(hot, hotTable);
    try {
      RpcServer.setCurrentCall(call(null));
      ScanPriority scan = provider.noteScan(null, plain);
      ScanRequest.Builder next = ScanRequest.newBuilder().setScannerId(7);
      next.getRegionBuilder()
          .setType(RegionSpecifierType.REGION_NAME)
          .setValue(bytes(hot.getRegionName()));
      long asked = PriorityMetrics.ASKED.sum();
      for (int i = 0; i < 100; i++) {
        RpcServer.setCurrentCall(Calls.call(next.build(), i == 0 ? null : "rt:0", null));
        assertNull(scan.inCall());
        assertNull(provider.current());
      }
      assertEquals(asked, PriorityMetrics.ASKED.sum());
    } finally {
      RegionTables.closed(hot, hotTable);
    }
  }

  /** Its id comes with the answer to the call that opens it. */
  @Test
  void theSchedulerKnowsAScanBeforeItsFirstLaterCall() throws Exception {
    HandlerCall.Listener listener = new HandlerCall.Listener();
    RpcServer.setCurrentCall(call(null));
    listener.callStarted();
    ScanPriority scan = provider.noteScan(null, plain);
    ScanResponse response = ScanResponse.newBuilder().setScannerId(11).build();
    assertNull(ScannerPriorities.of(11));
    listener.callEnded(Pair.newPair(response, null));
    assertSame(scan, ScannerPriorities.of(11));
    scan.closed();
    assertNull(ScannerPriorities.of(11));
    scan.opened(12);
    assertNull(ScannerPriorities.of(12), "closed with its first call");
    listener.callStarted();
    listener.callEnded(Pair.newPair(response, null));
    assertNull(ScannerPriorities.of(11), "of another call");
  }

  /** A rule without a table must not decide about a table that has one. */
  @Test
  void theTablesRuleDecidesAboutBatchesAndLaterCallsOfScans(@TempDir Path directory)
      throws Exception {
    PolicyFile access = new PolicyFile(HBaseKeys.POLICY);
    Path file =
        Files.writeString(
            directory.resolve("policy.xml"),
            "<io-priority-policy><rule user='someone' highest='idle'/>"
                + "<rule user='someone' table='t' highest='be:0'/></io-priority-policy>");
    access.load(file.toAbsolutePath().toString());
    CallPriorityProvider limited =
        new CallPriorityProvider(PriorityPolicy.from(new Configuration(false), access));
    RpcServer.setCurrentCall(call(null));
    assertNull(limited.noteOperation(null, null, plain));
    assertNull(limited.current(), "a batch");
    ScanPriority scan = limited.noteScan(null, plain);
    RpcServer.setCurrentCall(
        Calls.call(ScanRequest.newBuilder().setScannerId(7).build(), null, null));
    assertNull(scan.inCall());
    assertNull(limited.current(), "a later call of a scan");
  }

  @Test
  void theTenantIsThatOfTheRuleAndOfNobodyUnderALock(@TempDir Path directory) throws Exception {
    PolicyFile access = new PolicyFile(HBaseKeys.POLICY);
    Path file =
        Files.writeString(
            directory.resolve("policy.xml"),
            "<io-priority-policy><tenant name='etl' limit='0.3'/><tenant name='shop'/>"
                + "<rule user='someone' highest='be:0' tenant='etl' default='be:6'/>"
                + "<rule user='someone' table='s' highest='be:0' tenant='shop'/>"
                + "</io-priority-policy>");
    access.load(file.toAbsolutePath().toString());
    CallPriorityProvider provider =
        new CallPriorityProvider(PriorityPolicy.from(new Configuration(false), access));
    assertNull(provider.tenant(), "no call");
    RpcServer.setCurrentCall(call(null));
    assertEquals(IoPriority.bestEffort(6), provider.noteOperation(this, null, plain));
    assertEquals("etl", provider.tenant());
    provider.noteOperation(this, null, PriorityResolverTest.table("s", null));
    assertEquals("shop", provider.tenant());
    provider.noteMutation(new Increment(Bytes.toBytes("r")), null, plain, true);
    assertEquals("default", provider.tenant(), "it holds a row's lock");
    provider.noteOperation(RT3_TEXT, null, PriorityResolverTest.table("hbase:meta", null));
    assertEquals("default", provider.tenant(), "nobody can work without it");
    assertNull(provider.current(), "and no rule's default is for it");
    assertNull(this.provider.tenant(), "without tenants");
  }

  @Test
  void anUnannouncedReadFollowsTheTableOfItsCallsRegion() {
    RegionInfo region = RegionInfoBuilder.newBuilder(TableName.valueOf("unannounced")).build();
    TablePriority table = PriorityResolverTest.table("unannounced", "be:6");
    RegionTables.opened(region, table);
    try {
      GetRequest.Builder get = GetRequest.newBuilder();
      get.getRegionBuilder().setValue(bytes(region.getRegionName()));
      RpcServer.setCurrentCall(Calls.call(get.buildPartial(), null, null));
      assertEquals(IoPriority.bestEffort(6), provider.current());
    } finally {
      RegionTables.closed(region, table);
    }
    assertNull(provider.current());
  }

  @Test
  void aRegionOpenedAgainIsNotForgottenByTheOldOnesClosing() {
    RegionInfo region = RegionInfoBuilder.newBuilder(TableName.valueOf("moved")).build();
    TablePriority old = PriorityResolverTest.table("moved", null);
    TablePriority reopened = PriorityResolverTest.table("moved", "be:5");
    RegionTables.opened(region, old);
    RegionTables.opened(region, reopened);
    RegionTables.closed(region, old);
    assertEquals(reopened, RegionTables.of(bytes(region.getRegionName())));
    RegionTables.closed(region, reopened);
    assertNull(RegionTables.of(bytes(region.getRegionName())));
  }

  @Test
  void anIdleHandlerHoldsNoCall() throws Exception {
    RpcServer.setCurrentCall(call(null));
    provider.noteOperation(RT3_TEXT, RT3_TEXT, plain);
    WeakReference<RpcCall> call = new WeakReference<>(RpcServer.getCurrentCall().orElseThrow());
    RpcServer.setCurrentCall(null);
    soon("the call is not reachable any more")
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              System.gc();
              return call.get() == null;
            });
  }

  private static RpcCall call(String requestAttribute) {
    return Calls.call(MultiRequest.getDefaultInstance(), requestAttribute, null);
  }

  private static org.apache.hbase.thirdparty.com.google.protobuf.ByteString bytes(byte[] array) {
    return org.apache.hbase.thirdparty.com.google.protobuf.ByteString.copyFrom(array);
  }

  @Test
  void whileItObservesAllIsDecidedAndNothingStated() throws Exception {
    RpcServer.setCurrentCall(call(null));
    long asked = PriorityMetrics.ASKED.sum();
    OffSwitch.setObserving(true);
    try {
      assertEquals(RT3, provider.noteOperation(RT3_TEXT, RT3_TEXT, plain));
      assertEquals(asked + 1, PriorityMetrics.ASKED.sum());
      assertNull(provider.current());
      ScanPriority scan = provider.noteScan(RT3_TEXT, plain);
      assertEquals(IoPriority.NONE, scan.inCall());
    } finally {
      OffSwitch.setObserving(false);
    }
    assertEquals(RT3, provider.current());
  }

  /** IoPriorityCalls counts it all the same. */
  @Test
  void theSlowLogOfAnObservingServerNamesNoPriority() throws Exception {
    HandlerCall.Listener listener = new HandlerCall.Listener();
    ClassMetrics calls = PriorityMetrics.calls(IoClass.REALTIME);
    long requests = calls.requests().sum();
    RpcServer.setCurrentCall(call(null));
    OffSwitch.setObserving(true);
    try {
      listener.callStarted();
      provider.noteOperation(RT3_TEXT, RT3_TEXT, plain);
      assertNull(listener.priority());
      OffSwitch.setObserving(false);
      assertEquals(RT3, listener.priority());
    } finally {
      OffSwitch.setObserving(false);
      RpcServer.setCurrentCall(null);
      listener.callEnded(null);
    }
    assertEquals(requests + 1, calls.requests().sum());
  }

  @Test
  void whileItIsOffNothingIsDecided() throws Exception {
    RpcServer.setCurrentCall(call("rt:3"));
    long asked = PriorityMetrics.ASKED.sum();
    OffSwitch.set("test", AgentModule.ALL, "a test");
    try {
      assertNull(provider.noteOperation(RT3_TEXT, RT3_TEXT, plain));
      assertNull(provider.noteScan(RT3_TEXT, plain));
      assertNull(provider.current());
      assertEquals(asked, PriorityMetrics.ASKED.sum());
    } finally {
      OffSwitch.set("test", Set.of(), "");
    }
    assertEquals(RT3, provider.noteOperation(RT3_TEXT, RT3_TEXT, plain));
  }
}
