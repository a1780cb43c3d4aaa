// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;

class IoPrioritiesTest {

  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final IoPriority RT3 = IoPriority.realtime(3);

  @Test
  void everyOperationCarriesThePriorityAsText() {
    OperationWithAttributes[] operations = {
      new Get(ROW), new Scan(), new Put(ROW), new Delete(ROW), new Increment(ROW), new Append(ROW)
    };
    for (OperationWithAttributes operation : operations) {
      assertNull(IoPriorities.get(operation));
      IoPriorities.set(operation, RT3);
      assertArrayEquals(
          "rt:3".getBytes(StandardCharsets.US_ASCII), operation.getAttribute("io.priority"));
      assertEquals(RT3, IoPriorities.get(operation));
      assertNull(IoPriorities.get(IoPriorities.clear(operation)));
    }
  }

  @Test
  void checkAndMutateCarriesItOnItsMutations() throws Exception {
    Put put = new Put(ROW).addColumn(FAMILY, null, ROW);
    CheckAndMutate single = CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, ROW).build(put);
    assertNull(IoPriorities.get(single));
    assertEquals(RT3, IoPriorities.get(IoPriorities.set(single, RT3)));
    assertEquals(RT3, IoPriorities.get(put));

    Put first = new Put(ROW).addColumn(FAMILY, null, ROW);
    Delete second = new Delete(ROW);
    RowMutations group = RowMutations.of(java.util.List.of(first, second));
    CheckAndMutate several = CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, ROW).build(group);
    IoPriorities.set(several, IoPriority.IDLE);
    assertEquals(IoPriority.IDLE, IoPriorities.get(first));
    assertEquals(IoPriority.IDLE, IoPriorities.get(second));
    IoPriorities.clear(first);
    assertEquals(IoPriority.IDLE, IoPriorities.get(several));
    assertEquals(IoPriority.IDLE, IoPriorities.get(group));
  }

  @Test
  void tableDescriptorHoldsTheTextTheShellWrites() {
    TableDescriptor table =
        IoPriorities.set(
                TableDescriptorBuilder.newBuilder(TableName.valueOf("t")), IoPriority.bestEffort(7))
            .build();
    assertEquals("be:7", table.getValue("IO_PRIORITY"));
    assertEquals(IoPriority.bestEffort(7), IoPriorities.get(table));
  }

  @Test
  void connectionAttributesHoldOneAttribute() {
    assertArrayEquals(
        Bytes.toBytes("idle"),
        IoPriorities.connectionAttributes(IoPriority.IDLE).get("io.priority"));
  }

  @Test
  void malformedAndMissingPrioritiesAreRefusedNamingWhatIsAllowed() {
    Get get = new Get(ROW);
    get.setAttribute("io.priority", Bytes.toBytes("rt:9"));
    IllegalArgumentException malformed =
        assertThrows(IllegalArgumentException.class, () -> IoPriorities.get(get));
    assertTrue(malformed.getMessage().contains("rt:0 to rt:7"), malformed.getMessage());
    IllegalArgumentException missing =
        assertThrows(IllegalArgumentException.class, () -> IoPriorities.set(new Get(ROW), null));
    assertTrue(missing.getMessage().contains("rt:0 to rt:7"), missing.getMessage());
  }
}
