// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.PolicyFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DispatchPriorityTest {

  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("u")).build();
  private static final IoPriority RT3 = IoPriority.realtime(3);

  private final TablePriority table = PriorityResolverTest.table("u", "rt:5");
  private final DispatchPriority priorities =
      new DispatchPriority(new PriorityResolver(PriorityResolverTest.policy("rt:2", "")));

  @BeforeEach
  void openRegion() {
    RegionTables.opened(REGION, table);
  }

  @AfterEach
  void closeRegion() {
    RegionTables.closed(REGION, table);
  }

  @Test
  void aSingleOperationsAttributeIsReadFromItsMessage() {
    GetRequest.Builder get = GetRequest.newBuilder();
    get.getGetBuilder().addAttribute(attribute("rt:3"));
    assertEquals(RT3, of(get.buildPartial()));
    MutateRequest.Builder mutate = MutateRequest.newBuilder();
    mutate.getMutationBuilder().addAttribute(attribute("rt:0"));
    assertEquals(IoPriority.realtime(2), of(mutate.buildPartial()), "limited");
    ScanRequest.Builder scan = ScanRequest.newBuilder();
    scan.getScanBuilder().addAttribute(attribute("idle"));
    assertEquals(IoPriority.IDLE, of(scan.buildPartial()));
  }

  @Test
  void theTableOfTheRegionSpeaksLast() {
    GetRequest.Builder get = GetRequest.newBuilder();
    get.getRegionBuilder().setValue(ByteString.copyFrom(REGION.getRegionName()));
    assertEquals(IoPriority.realtime(5), of(get.buildPartial()));
    assertEquals(IoPriority.IDLE, of(Calls.call(get.buildPartial(), null, "idle")));
  }

  /** Once for the queue and the places of a call in the caps; the handler decides anew. */
  @Test
  void thePolicyIsAskedOnceForWhatACallStates() {
    PriorityResolver resolver = new PriorityResolver(PriorityResolverTest.policy("rt:2", ""));
    CallContents contents =
        new CallContents(Calls.call(GetRequest.getDefaultInstance(), "rt:3", null));
    Decision first = resolver.decision((byte[]) null, contents.requester(null));
    assertSame(first, resolver.decision((byte[]) null, contents.requester(null)));
    assertNotSame(
        first, resolver.decision((byte[]) null, contents.requester(table)), "other rules");
    assertNotSame(first, resolver.idle(contents.requester(null)), "another priority");
  }

  @Test
  void aBatchIsRealtimeOnlyIfAllOfItIs() {
    assertEquals(RT3, of(batch("rt:2", "rt:3")));
    assertNull(of(batch("rt:3", null)));
    assertEquals(IoPriority.IDLE, of(batch("rt:3", "idle")));
    assertNull(of(batch()));
  }

  @Test
  void aFollowUpCallFollowsItsScanner() {
    ScanRequest next = ScanRequest.newBuilder().setScannerId(17).build();
    assertNull(of(next));
    RpcCall opening = Calls.call(next, "rt:3", null);
    PriorityResolver resolver = new PriorityResolver(PriorityResolverTest.policy("rt:2", ""));
    ScannerPriorities.opened(
        17,
        new ScanPriority(
            resolver,
            resolver.asked(null, new CallRequester(opening, table)),
            table,
            opening,
            RT3));
    try {
      assertEquals(RT3, of(Calls.call(next, "idle", null)));
    } finally {
      ScannerPriorities.closed(17);
    }
    assertEquals(IoPriority.IDLE, of(Calls.call(next, "idle", null)));
    assertNull(of(Calls.call(next, "rt:3", null)), "a scan that is not known");
    ScanRequest named =
        next.toBuilder()
            .setRegion(
                RegionSpecifier.newBuilder()
                    .setType(RegionSpecifierType.REGION_NAME)
                    .setValue(ByteString.copyFrom(REGION.getRegionName())))
            .build();
    assertNull(of(named), "a region that the client names");
  }

  /** A network thread serves many connections; a slow group mapping must not stop it. */
  @Test
  void aCallWhoseGroupsAreNotKnownYetTakesTheGeneralQueue(@TempDir Path directory)
      throws Exception {
    DispatchPriority dispatch =
        new DispatchPriority(
            new PriorityResolver(
                PriorityPolicy.from(new Configuration(false), urgentGroup(directory))));
    CountDownLatch answer = new CountDownLatch(1);
    User user =
        new MappedUser(
            "slow",
            () -> {
              Uninterruptibles.awaitUninterruptibly(answer);
              return "urgent";
            });
    RpcCall call = Calls.call(GetRequest.getDefaultInstance(), "rt:3", null, user);
    assertTimeoutPreemptively(
        Duration.ofSeconds(20), () -> assertNull(dispatch.of(new CallContents(call))));
    assertNull(dispatch.of(new CallContents(call)), "the look-up goes on");
    answer.countDown();
    soon("the groups are known")
        .untilAsserted(() -> assertEquals(RT3, dispatch.of(new CallContents(call))));
  }

  private static PolicyFile urgentGroup(Path directory) throws IOException {
    Path file = directory.resolve("policy.xml");
    Files.writeString(
        file, "<io-priority-policy><rule group='urgent' highest='rt:0'/></io-priority-policy>");
    PolicyFile access = new PolicyFile(HBaseKeys.POLICY);
    access.load(file.toString());
    return access;
  }

  /** What one action needs of the policy does not decide about the next one. */
  @Test
  void anActionThatStatesNothingHasThePresetAlsoWhereGroupsAreNotKnown(@TempDir Path directory)
      throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(HBaseKeys.DEFAULT.name(), "be:7");
    PriorityResolver resolver =
        new PriorityResolver(PriorityPolicy.from(conf, urgentGroup(directory)));
    TablePriority plain =
        TablePriority.of(TableDescriptorBuilder.newBuilder(TableName.valueOf("plain")).build());
    CountDownLatch answer = new CountDownLatch(1);
    User user =
        new MappedUser(
            "slower",
            () -> {
              Uninterruptibles.awaitUninterruptibly(answer);
              return "urgent";
            });
    CallRequester requester =
        new CallContents(Calls.call(GetRequest.getDefaultInstance(), null, null, user))
            .requester(plain);
    assertNull(resolver.peek(Bytes.toBytes("rt:0"), requester));
    assertEquals(IoPriority.bestEffort(7), resolver.peek(null, requester));
    answer.countDown();
  }

  @Test
  void aTenthOfTheHandlersAndAtLeastTwo() {
    Configuration conf = new Configuration(false);
    assertEquals(3, IoPriorityRpcSchedulerFactory.realtimeHandlers(conf));
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 5);
    assertEquals(2, IoPriorityRpcSchedulerFactory.realtimeHandlers(conf));
    conf.setInt(HBaseKeys.REALTIME_HANDLERS.name(), 0);
    assertEquals(0, IoPriorityRpcSchedulerFactory.realtimeHandlers(conf));
  }

  @Test
  void halfOfTheHandlersAndAtLeastOneForBackground() {
    Configuration conf = new Configuration(false);
    assertEquals(15, IoPriorityRpcSchedulerFactory.backgroundHandlers(conf));
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 1);
    assertEquals(1, IoPriorityRpcSchedulerFactory.backgroundHandlers(conf));
    conf.setInt(HBaseKeys.BACKGROUND_HANDLERS.name(), 0);
    assertEquals(0, IoPriorityRpcSchedulerFactory.backgroundHandlers(conf));
  }

  /** Its handler waits for all of them. */
  @Test
  void aBatchWithOneBackgroundOperationIsOne() {
    assertEquals(IoPriority.IDLE, of(batch(null, "rt:3", "idle")));
    assertEquals(IoPriority.bestEffort(5), of(batch("rt:3", "be:5")));
    assertEquals(IoPriority.bestEffort(4), of(batch("be:4", null)));
    assertEquals(IoPriority.IDLE, of(Calls.call(batch(new String[1001]), "idle", null)));
    assertNull(of(Calls.call(batch(new String[1001]), "rt:0", null)));
  }

  /** Whichever stands first. */
  @Test
  void aLargeBatchWithOneBackgroundOperationIsOne() {
    String[] mixed = new String[1500];
    mixed[1499] = "idle";
    assertEquals(IoPriority.IDLE, of(batch(mixed)));
    assertEquals(IoPriority.IDLE, of(Calls.call(batch(mixed), "rt:0", null)));
    mixed[1499] = "be:1";
    assertNull(of(batch(mixed)));
    mixed[0] = "be:1";
    assertEquals(IoPriority.bestEffort(1), of(batch(mixed)));
  }

  /** Or else a client could keep a network thread busy with its batches. */
  @Test
  void aBatchThatStatesThousandsOfPrioritiesIsABackgroundOne() {
    String[] targets = new String[2000];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = "rt:0@" + (i + 1) + "ms";
    }
    assertEquals(IoPriority.IDLE, of(batch(targets)));
  }

  private IoPriority of(Message parameter) {
    return of(Calls.call(parameter, null, null));
  }

  private IoPriority of(RpcCall call) {
    return priorities.of(new CallContents(call));
  }

  static MultiRequest batch(String... attributes) {
    RegionAction.Builder region = RegionAction.newBuilder();
    for (String text : attributes) {
      region.addActionBuilder().getGetBuilder();
      if (text != null) {
        region
            .getActionBuilder(region.getActionCount() - 1)
            .getGetBuilder()
            .addAttribute(attribute(text));
      }
    }
    return MultiRequest.newBuilder().addRegionAction(region.buildPartial()).buildPartial();
  }

  private static NameBytesPair attribute(String text) {
    return NameBytesPair.newBuilder()
        .setName("io.priority")
        .setValue(ByteString.copyFromUtf8(text))
        .build();
  }
}
