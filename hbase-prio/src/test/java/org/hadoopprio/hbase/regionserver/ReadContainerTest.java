// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

class ReadContainerTest {

  private static final Message GET = GetRequest.newBuilder().buildPartial();

  /** The tests' own: averages are kept for each table. */
  private final TablePriority table =
      PriorityResolverTest.table("containers" + System.nanoTime(), null);

  private ReadContainer container(Message parameter) {
    return ReadContainer.of(Calls.call(parameter, null, null), table);
  }

  private static Message multi(int gets) {
    RegionAction.Builder region = RegionAction.newBuilder();
    for (int i = 0; i < gets; i++) {
      region.addActionBuilder().getGetBuilder();
    }
    return MultiRequest.newBuilder().addRegionAction(region.buildPartial()).buildPartial();
  }

  /** A call that reads so many blocks. */
  private void served(Message parameter, int reads) {
    ReadContainer container = container(parameter);
    for (int i = 0; i < reads; i++) {
      container.readBegins();
    }
    container.close();
  }

  /** Tables come and go as long as the server runs. */
  @Test
  void averagesAreNotKeptWithoutBounds() {
    for (int i = 0; i < 2 * ReadContainer.MAX_TABLES; i++) {
      TablePriority dropped = PriorityResolverTest.table("dropped" + i, null);
      ReadContainer.of(Calls.call(GET, null, null), dropped);
    }
    assertTrue(ReadContainer.tables() <= ReadContainer.MAX_TABLES, ReadContainer.tables() + "");
  }

  @Test
  void theFirstGetIsExpectedToReadOneBlock() {
    assertEquals(0, container(GET).readBegins());
  }

  @Test
  void aGetOfThreeStoreFilesLeavesTimeForTheOthers() {
    served(GET, 3);
    ReadContainer next = container(GET);
    assertEquals(3, next.readBegins(), "four are expected: a third more");
    assertEquals(2, next.readBegins());
    assertEquals(1, next.readBegins());
    assertEquals(0, next.readBegins());
    assertEquals(0, next.readBegins(), "more than expected");
  }

  @Test
  void aMultiGetIsAsManyGets() {
    served(GET, 1);
    assertEquals(25, container(multi(20)).readBegins());
    served(multi(20), 0);
    served(multi(20), 0);
    assertEquals(6, container(multi(20)).readBegins(), "0.29 each, a third more, and one is done");
  }

  @Test
  void scansAreNotTakenForGets() {
    served(ScanRequest.newBuilder().buildPartial(), 100);
    assertEquals(0, container(GET).readBegins());
  }
}
