package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DispatchPriorityTest {

  private static final byte[] REGION = "u,,1".getBytes(java.nio.charset.StandardCharsets.UTF_8);
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
    get.getRegionBuilder().setValue(ByteString.copyFrom(REGION));
    assertEquals(IoPriority.realtime(5), of(get.buildPartial()));
    assertEquals(IoPriority.IDLE, priorities.of(Calls.call(get.buildPartial(), null, "idle")));
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
    ScannerPriorities.opened(17, RT3);
    try {
      assertEquals(RT3, priorities.of(Calls.call(next, "idle", null)));
    } finally {
      ScannerPriorities.closed(17);
    }
    assertEquals(IoPriority.IDLE, priorities.of(Calls.call(next, "idle", null)));
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

  private IoPriority of(Message parameter) {
    return priorities.of(Calls.call(parameter, null, null));
  }

  private static MultiRequest batch(String... attributes) {
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
