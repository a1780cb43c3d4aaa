// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The priority of a scan's reads over all its calls. */
@ExtendWith(MiniCluster.class)
class ScanPriorityClusterTest {

  private static final int ROWS = 22_000;
  private static final int VALUE_BYTES = 1000;
  private static final long TABLE_BYTES = (long) ROWS * VALUE_BYTES;
  private static final IoPriority RT3 = IoPriority.realtime(3);

  /**
   * The rest is read when a scan changes to a stream, after its call; the agent's hook on that
   * change is not here.
   */
  private static final double NEARLY_ALL = 0.98;

  private static TableName big;

  @BeforeAll
  static void makeTable() throws IOException {
    big = MiniCluster.table("big", "be:7", 56 * 1024);
    byte[] value = new byte[VALUE_BYTES];
    new Random(1).nextBytes(value);
    MiniCluster.load(big, ROWS, value);
  }

  @Test
  void aFullScanReadsAllAtItsOwnPriority() throws IOException {
    try (Table table = table()) {
      assertShare(IoPriority.IDLE, scan(table, IoPriorities.set(new Scan(), IoPriority.IDLE)));
      assertShare(RT3, scan(table, IoPriorities.set(new Scan(), RT3)));
      Scan asTheClientSays = new Scan().setReadType(Scan.ReadType.PREAD);
      assertShare(
          IoPriority.bestEffort(2),
          scan(table, IoPriorities.set(asTheClientSays, IoPriority.bestEffort(2))));
    }
  }

  /** As without a priority: positioned reads first, then a stream. */
  @Test
  void hbaseChoosesHowAScanReads() throws IOException {
    try (Table table = table()) {
      for (IoPriority priority : List.of(IoPriority.NONE, IoPriority.IDLE, RT3)) {
        List<RecordingFileSystem.Read> reads = scan(table, IoPriorities.set(new Scan(), priority));
        long positioned = reads.stream().filter(r -> r.positioned).mapToLong(r -> r.bytes).sum();
        long streamed = reads.stream().filter(r -> !r.positioned).mapToLong(r -> r.bytes).sum();
        assertTrue(positioned > 0 && streamed > positioned, priority + ": " + streamed);
      }
      RecordingFileSystem.take("big");
      Scan few = IoPriorities.set(new Scan().setCaching(20), IoPriority.IDLE);
      try (ResultScanner scanner = table.getScanner(few)) {
        assertEquals(20, scanner.next(20).length);
      }
      assertTrue(RecordingFileSystem.take("big").stream().allMatch(r -> r.positioned));
    }
  }

  @Test
  void tableRequestAndConnectionServeAScanToo() throws IOException {
    try (Connection connection =
            MiniCluster.connection(IoPriorities.connectionAttributes(IoPriority.bestEffort(3)));
        Table byTable = table();
        Table byConnection = connection.getTable(big);
        Table byRequest =
            IoPriorities.set(connection.getTableBuilder(big, null), IoPriority.IDLE).build()) {
      assertShare(IoPriority.bestEffort(7), scan(byTable, new Scan()));
      assertShare(IoPriority.bestEffort(3), scan(byConnection, new Scan()));
      assertShare(IoPriority.IDLE, scan(byRequest, new Scan()));
    }
  }

  @Test
  void aScanAndGetsInBetweenKeepTheirOwn() throws IOException {
    RecordingFileSystem.take("big");
    try (Table table = table();
        ResultScanner scanner =
            table.getScanner(IoPriorities.set(new Scan().setCaching(200), IoPriority.IDLE))) {
      List<RecordingFileSystem.Read> scanned = new ArrayList<>();
      for (int call = 0; call < 20; call++) {
        for (Result row : scanner.next(200)) {
          assertFalse(row.isEmpty());
        }
        scanned.addAll(RecordingFileSystem.take("big"));
        table.get(IoPriorities.set(new Get(MiniCluster.row(ROWS - 1 - call)), RT3));
        assertShare(RT3, RecordingFileSystem.take("big"), 1);
      }
      assertShare(IoPriority.IDLE, scanned, 1);
      assertEquals(1, ScannerPriorities.size(), "the scanner is known while it is open");
    }
    assertEquals(0, ScannerPriorities.size(), "and forgotten when it is closed");
  }

  @Test
  void aShortReverseScanReadsAtItsPriority() throws IOException {
    RecordingFileSystem.take("big");
    Scan scan = IoPriorities.set(new Scan().setReversed(true).setLimit(5), IoPriority.IDLE);
    try (Table table = table();
        ResultScanner scanner = table.getScanner(scan)) {
      assertEquals(5, scanner.next(10).length);
    }
    assertShare(IoPriority.IDLE, RecordingFileSystem.take("big"), 1);
  }

  private static Table table() throws IOException {
    return MiniCluster.connection().getTable(big);
  }

  private static List<RecordingFileSystem.Read> scan(Table table, Scan scan) throws IOException {
    RecordingFileSystem.take("big");
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan.setCaching(1000))) {
      for (Result row : scanner) {
        rows += row.isEmpty() ? 0 : 1;
      }
    }
    assertEquals(ROWS, rows);
    return RecordingFileSystem.take("big");
  }

  private static void assertShare(IoPriority priority, List<RecordingFileSystem.Read> reads) {
    assertShare(priority, reads, TABLE_BYTES);
  }

  private static void assertShare(
      IoPriority priority, List<RecordingFileSystem.Read> reads, long leastBytes) {
    long all = 0;
    long right = 0;
    for (RecordingFileSystem.Read read : reads) {
      all += read.bytes;
      right += Objects.equals(read.priority, priority) ? read.bytes : 0;
    }
    assertTrue(all >= leastBytes, "only " + all + " bytes read");
    assertTrue(right >= all * NEARLY_ALL, right + " of " + all + " bytes at " + priority);
  }
}
