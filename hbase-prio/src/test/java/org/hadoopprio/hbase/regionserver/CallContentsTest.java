// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch of many operations costs one look at what its client has sent with it. */
class CallContentsTest {

  private static final int OPERATIONS = 1000;

  private final HandlerCall.Listener handler = new HandlerCall.Listener();

  @BeforeEach
  void start() {
    handler.callStarted();
  }

  @AfterEach
  void end() {
    handler.callEnded(null);
  }

  @Test
  void theHintsOfACallAreLookedUpOnce() throws Exception {
    AtomicInteger lookups = new AtomicInteger();
    RpcCall call = Calls.counting(Calls.call(null, null, "be:5"), "getRequestAttribute", lookups);
    PriorityResolver resolver = new PriorityResolver(PriorityPolicy.from(new Configuration(false)));
    for (int i = 0; i < OPERATIONS; i++) {
      assertEquals(IoPriority.parse("be:5"), resolver.resolve(call, null, null));
    }
    assertEquals(1, lookups.get());
  }

  @Test
  void aCallHasItsOwn() {
    assertEquals("be:5", Bytes.toString(HandlerCall.contentsOf(request("be:5")).request()));
    assertEquals("be:6", Bytes.toString(HandlerCall.contentsOf(request("be:6")).request()));
  }

  private static RpcCall request(String attribute) {
    return Calls.call(null, attribute, null);
  }

  @Test
  void theGroupsOfABatchAreLookedThroughOnce() {
    AtomicInteger looks = new AtomicInteger();
    RpcCall call = Calls.counting(Calls.call(batch(), null, null), "getParam", looks);
    for (int i = 0; i < OPERATIONS; i++) {
      assertFalse(RejectedMutations.isWithOthers(call, new Put(Bytes.toBytes("whole" + i))));
      assertTrue(RejectedMutations.isWithOthers(call, new Delete(Bytes.toBytes("alone" + i))));
    }
    assertFalse(RejectedMutations.isWithOthers(call, new Increment(Bytes.toBytes("alone0"))));
    assertEquals(1, looks.get());
  }

  private static MultiRequest batch() {
    RegionAction.Builder whole = RegionAction.newBuilder().setAtomic(true);
    RegionAction.Builder alone = RegionAction.newBuilder();
    for (int i = 0; i < OPERATIONS; i++) {
      whole.addAction(action("whole" + i));
      alone.addAction(action("alone" + i));
    }
    return MultiRequest.newBuilder()
        .addRegionAction(whole.buildPartial())
        .addRegionAction(alone.buildPartial())
        .buildPartial();
  }

  private static Action action(String row) {
    MutationProto mutation =
        MutationProto.newBuilder().setRow(ByteString.copyFromUtf8(row)).buildPartial();
    return Action.newBuilder().setMutation(mutation).buildPartial();
  }
}
