// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.hadoopprio.hbase.regionserver.MiniCluster.FAMILY;
import static org.hadoopprio.hbase.regionserver.MiniCluster.QUALIFIER;
import static org.hadoopprio.hbase.regionserver.MiniCluster.row;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The priority of store file reads, for each kind of operation. */
@ExtendWith(MiniCluster.class)
class ReadPriorityClusterTest {

  private static final IoPriority NOTHING = null;
  private static final IoPriority RT3 = IoPriority.realtime(3);
  private static final IoPriority BE1 = IoPriority.bestEffort(1);
  private static final IoPriority BE7 = IoPriority.bestEffort(7);
  private static final IoPriority IDLE = IoPriority.IDLE;

  private static TableName plain;
  private static TableName low;

  @BeforeAll
  static void makeTables() throws IOException {
    plain = MiniCluster.table("plain", null);
    low = MiniCluster.table("low", "be:7");
    MiniCluster.load(plain, 200, Bytes.toBytes(7L));
    MiniCluster.load(low, 50, Bytes.toBytes(7L));
    // The first read of a file also reads its index, which stays cached.
    try (Table a = table(plain);
        Table b = table(low)) {
      a.get(new Get(row(0)));
      b.get(new Get(row(0)));
    }
  }

  @BeforeEach
  void forgetEarlierReads() {
    RecordingFileSystem.take("plain");
  }

  @Test
  void getReadsAtItsOwnPriorityAndTheNextOneInheritsNothing() throws IOException {
    Set<String> prioritised = new HashSet<>();
    boolean handlerShared = false;
    try (Table table = table(plain)) {
      for (int i = 0; i < 20; i++) {
        table.get(IoPriorities.set(new Get(row(i)), BE1));
        List<RecordingFileSystem.Read> reads = reads(plain, BE1);
        prioritised.add(reads.get(0).thread);
        table.get(new Get(row(i)));
        handlerShared |= prioritised.contains(reads(plain, NOTHING).get(0).thread);
      }
    }
    assertTrue(handlerShared, "no plain Get ran on a handler that had served a prioritised one");
  }

  @Test
  void existsIsAGet() throws IOException {
    try (Table table = table(plain)) {
      assertTrue(table.exists(IoPriorities.set(new Get(row(3)), RT3)));
      reads(plain, RT3);
    }
  }

  @Test
  void eachGetOfABatchKeepsItsOwn() throws Exception {
    try (Table table = table(plain)) {
      List<Get> gets = new ArrayList<>();
      List<IoPriority> expected = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        IoPriority priority = i % 3 == 0 ? RT3 : i % 3 == 1 ? NOTHING : IDLE;
        Get get = new Get(row(40 + i));
        gets.add(priority == null ? get : IoPriorities.set(get, priority));
        expected.add(priority);
      }
      table.get(gets);
      assertEquals(expected, priorities(RecordingFileSystem.take("plain")));

      // The same with mutations that read.
      List<Row> mixed = new ArrayList<>();
      mixed.add(IoPriorities.set(new Get(row(52)), RT3));
      mixed.add(new Increment(row(53)).addColumn(FAMILY, QUALIFIER, 1));
      mixed.add(IoPriorities.set(increment(54), IDLE));
      mixed.add(new Get(row(55)));
      table.batch(mixed, new Object[mixed.size()]);
      List<IoPriority> seen = new ArrayList<>();
      seen.add(RT3);
      seen.add(NOTHING);
      // Under the lock of the row.
      seen.add(IoPriority.NONE);
      seen.add(NOTHING);
      assertEquals(seen, priorities(RecordingFileSystem.take("plain")));
    }
  }

  @Test
  void anExceptionInBetweenLeaksNothing() throws Exception {
    try (Table table = table(plain)) {
      for (int i = 0; i < 6; i++) {
        Get failing = IoPriorities.set(new Get(row(60)), BE1);
        failing.setFilter(ProbeFilter.failing("fails"));
        assertThrows(DoNotRetryIOException.class, () -> table.get(failing));
        assertEquals(BE1, ProbeFilter.take("fails").get(0).priority);
        RecordingFileSystem.take("plain");
        table.get(new Get(row(61)));
        reads(plain, NOTHING);
      }
      Get failing = IoPriorities.set(new Get(row(62)), RT3);
      failing.setFilter(ProbeFilter.failing("fails"));
      Get following = new Get(row(63));
      following.setFilter(ProbeFilter.noting("follows"));
      Object[] results = new Object[2];
      assertThrows(IOException.class, () -> table.batch(List.of(failing, following), results));
      assertTrue(results[0] instanceof Throwable);
      assertEquals(RT3, ProbeFilter.take("fails").get(0).priority);
      assertEquals(NOTHING, ProbeFilter.take("follows").get(0).priority);
    }
  }

  @Test
  void requestConnectionAndTableSpeakInThisOrder() throws Exception {
    try (Connection be1 = MiniCluster.connection(IoPriorities.connectionAttributes(BE1));
        Table byConnection = be1.getTable(low);
        Table byRequest = IoPriorities.set(be1.getTableBuilder(low, null), IDLE).build();
        Table byTable = table(low)) {
      RecordingFileSystem.take("low");
      byTable.get(new Get(row(1)));
      reads(low, BE7);
      byConnection.get(new Get(row(1)));
      reads(low, BE1);
      byRequest.get(new Get(row(1)));
      reads(low, IDLE);
      byRequest.get(IoPriorities.set(new Get(row(1)), RT3));
      reads(low, RT3);
      byTable.get(IoPriorities.set(new Get(row(1)), IoPriority.NONE));
      reads(low, IoPriority.NONE);
      byTable.get(List.of(new Get(row(1)), IoPriorities.set(new Get(row(2)), RT3)));
      assertEquals(List.of(BE7, RT3), priorities(RecordingFileSystem.take("low")));
      byTable.increment(increment(3));
      reads(low, IoPriority.NONE);
    }
  }

  @Test
  void asynchronousTablesToo() throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(MiniCluster.util().getConfiguration()).get()) {
      AsyncTable<?> table = IoPriorities.set(connection.getTableBuilder(plain), BE7).build();
      table.get(new Get(row(70))).get();
      reads(plain, BE7);
    }
  }

  @Test
  void anAlteredTableTakesEffectAndCanBeUnset() throws Exception {
    TableName altered = MiniCluster.table("altered", null);
    MiniCluster.load(altered, 5, Bytes.toBytes(7L));
    try (Table table = table(altered)) {
      MiniCluster.util()
          .getAdmin()
          .modifyTable(
              IoPriorities.set(TableDescriptorBuilder.newBuilder(table.getDescriptor()), IDLE)
                  .build());
      RecordingFileSystem.take("altered");
      table.get(new Get(row(1)));
      reads(altered, IDLE);
      MiniCluster.util()
          .getAdmin()
          .modifyTable(
              TableDescriptorBuilder.newBuilder(table.getDescriptor())
                  .removeValue(Bytes.toBytes(IoPriorities.TABLE_VALUE))
                  .build());
      RecordingFileSystem.take("altered");
      table.get(new Get(row(1)));
      reads(altered, NOTHING);
    }
  }

  @Test
  void mutationsThatReadDoSoAtTheirPriorityAndAtNormalAtLeast() throws Exception {
    try (Table table = table(plain)) {
      table.increment(IoPriorities.set(increment(80), RT3));
      reads(plain, RT3);
      table.append(IoPriorities.set(new Append(row(81)).addColumn(FAMILY, QUALIFIER, row(1)), BE1));
      reads(plain, BE1);
      table.delete(IoPriorities.set(new Delete(row(82)).addColumn(FAMILY, QUALIFIER), BE7));
      reads(plain, IoPriority.NONE);
      table.increment(IoPriorities.set(increment(84), IDLE));
      reads(plain, IoPriority.NONE);
      table.increment(increment(83));
      reads(plain, NOTHING);
    }
  }

  @Test
  void checkAndMutateReadsAtTheMutationsPriority() throws Exception {
    try (Table table = table(plain)) {
      Put put = new Put(row(90)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(8L));
      assertTrue(table.checkAndMutate(IoPriorities.set(ifSeven(90).build(put), RT3)).isSuccess());
      reads(plain, RT3);

      RowMutations several =
          RowMutations.of(
              List.of(
                  new Put(row(91)).addColumn(FAMILY, Bytes.toBytes("other"), row(1)),
                  new Increment(row(91)).addColumn(FAMILY, QUALIFIER, 1)));
      assertTrue(
          table.checkAndMutate(IoPriorities.set(ifSeven(91).build(several), IDLE)).isSuccess());
      reads(plain, IoPriority.NONE);

      Put refused = new Put(row(92)).addColumn(FAMILY, QUALIFIER, row(1));
      CheckAndMutate not =
          CheckAndMutate.newBuilder(row(92))
              .ifEquals(FAMILY, QUALIFIER, Bytes.toBytes(6L))
              .build(refused);
      assertFalse(table.checkAndMutate(not).isSuccess());
      reads(plain, NOTHING);
    }
  }

  @Test
  void eachMutationOfARowKeepsItsOwn() throws Exception {
    try (Table table = table(plain)) {
      table.mutateRow(
          RowMutations.of(
              List.of(
                  IoPriorities.set(increment(100), RT3),
                  IoPriorities.set(
                      new Append(row(100)).addColumn(FAMILY, QUALIFIER, row(1)), IDLE))));
      assertEquals(List.of(RT3, IoPriority.NONE), priorities(RecordingFileSystem.take("plain")));
    }
  }

  /** In the caps, as for {@link PriorityMetrics#ASKED}; wherever its priority comes from. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachMutationOfABatchCountsOnce(boolean byRequest) throws Exception {
    try (Table table =
        byRequest
            ? IoPriorities.set(MiniCluster.connection().getTableBuilder(plain, null), BE1).build()
            : table(plain)) {
      List<Row> increments = new ArrayList<>();
      List<Row> puts = new ArrayList<>();
      List<Row> deletes = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        increments.add(stating(increment(130 + i), byRequest));
        puts.add(stating(new Put(row(140 + i)).addColumn(FAMILY, QUALIFIER, row(1)), byRequest));
        // Deletes the latest version, which it has to read.
        deletes.add(stating(new Delete(row(140 + i)).addColumn(FAMILY, QUALIFIER), byRequest));
      }
      for (List<Row> batch : List.of(increments, puts, deletes)) {
        assertAsked(batch.size(), () -> table.batch(batch, new Object[batch.size()]));
      }
      int row = byRequest ? 150 : 160;
      assertAsked(4, () -> table.mutateRow(several(row, byRequest)));
      RowMutations checked = several(row + 1, byRequest);
      assertAsked(4, () -> table.checkAndMutate(ifSeven(row + 1).build(checked)));
      Increment increment = stating(increment(row + 2), byRequest);
      assertAsked(1, () -> table.checkAndMutate(ifSeven(row + 2).build(increment)));
      assertAsked(1, () -> table.increment(stating(increment(row + 3), byRequest)));
    }
  }

  @Test
  void aRejectedMutationOfABatchFailsAloneButNotOneOfARow(@TempDir Path directory)
      throws Exception {
    List<Row> batch =
        List.of(
            put(170, 8),
            IoPriorities.set(put(171, 8), RT3),
            increment(172),
            IoPriorities.set(increment(173), RT3),
            IoPriorities.set(new Delete(row(174)).addColumn(FAMILY, QUALIFIER), RT3),
            new Get(row(175)),
            IoPriorities.set(new Get(row(176)), RT3));
    Object[] results = new Object[batch.size()];
    Configuration conf = new Configuration(false);
    HandlerCall.Listener listener = new HandlerCall.Listener();
    try (Table table = table(plain)) {
      Path policy =
          Files.writeString(
              directory.resolve("policy.xml"),
              "<io-priority-policy mode='reject'><rule user='*' highest='be:0'/>"
                  + "</io-priority-policy>");
      conf.set(HBaseKeys.POLICY.name(), policy.toAbsolutePath().toString());
      assertNull(listener.reconfigure(conf));
      long rejected = PriorityMetrics.REJECTED.sum();
      assertThrows(IOException.class, () -> table.batch(batch, results));
      assertEquals(rejected + 4, PriorityMetrics.REJECTED.sum());
      for (int i = 0; i < results.length; i++) {
        boolean allowed = i == 0 || i == 2 || i == 5;
        assertEquals(allowed, results[i] instanceof Result, i + ": " + results[i]);
        if (!allowed) {
          String message = ((DoNotRetryIOException) results[i]).getMessage();
          assertTrue(message.contains("I/O priority rt:3 is not allowed"), message);
        }
      }
      RowMutations row = RowMutations.of(List.of(put(177, 8), IoPriorities.set(put(177, 8), RT3)));
      assertThrows(IOException.class, () -> table.mutateRow(row));
      assertEquals(
          List.of(8L, 7L, 8L, 7L, 7L, 7L),
          List.of(
              value(table, 170),
              value(table, 171),
              value(table, 172),
              value(table, 173),
              value(table, 174),
              value(table, 177)));
    } finally {
      conf.unset(HBaseKeys.POLICY.name());
      assertNull(listener.reconfigure(conf));
    }
  }

  /** The policy decides and counts; the operations are done, and read, as in stock HBase. */
  @Test
  void anObservingRegionServerIsStockAndCounts(@TempDir Path directory) throws Exception {
    Configuration conf = new Configuration(false);
    HandlerCall.Listener listener = new HandlerCall.Listener();
    conf.set(HBaseKeys.MODE.name(), "observe");
    assertNull(listener.reconfigure(conf));
    try (Table table = table(plain)) {
      final long asked = PriorityMetrics.ASKED.sum();
      final long clamped = PriorityMetrics.CLAMPED.sum();
      final long malformed = PriorityMetrics.MALFORMED.sum();
      table.get(IoPriorities.set(new Get(row(181)), IoPriority.realtime(0)));
      reads(plain, NOTHING);
      assertEquals(clamped + 1, PriorityMetrics.CLAMPED.sum());
      Get odd = new Get(row(182));
      odd.setAttribute(IoPriority.ATTRIBUTE, Bytes.toBytes("turbo"));
      table.get(odd);
      assertEquals(malformed + 1, PriorityMetrics.MALFORMED.sum());
      RecordingFileSystem.take("plain");
      Scan scan = IoPriorities.set(new Scan().withStartRow(row(183)).setLimit(5), RT3);
      try (ResultScanner scanner = table.getScanner(scan)) {
        assertEquals(5, scanner.next(5).length);
      }
      List<IoPriority> scanned = priorities(RecordingFileSystem.take("plain"));
      assertFalse(scanned.isEmpty());
      assertTrue(
          scanned.stream().allMatch(each -> each == null || each.isNone()), scanned::toString);
      assertTrue(PriorityMetrics.ASKED.sum() >= asked + 2);

      Path policy =
          Files.writeString(
              directory.resolve("policy.xml"),
              "<io-priority-policy mode='reject'><rule user='*' highest='be:0'/>"
                  + "</io-priority-policy>");
      conf.set(HBaseKeys.POLICY.name(), policy.toAbsolutePath().toString());
      assertNull(listener.reconfigure(conf));
      long rejected = PriorityMetrics.REJECTED.sum();
      List<Row> batch =
          List.of(
              IoPriorities.set(put(184, 8), RT3),
              IoPriorities.set(increment(185), RT3),
              IoPriorities.set(new Get(row(186)), RT3));
      Object[] results = new Object[batch.size()];
      table.batch(batch, results);
      assertEquals(rejected + 3, PriorityMetrics.REJECTED.sum());
      assertEquals(List.of(8L, 8L), List.of(value(table, 184), value(table, 185)));
      observedRejectionsCountOnce();
    } finally {
      assertNull(listener.reconfigure(new Configuration(false)));
    }
    RecordingFileSystem.take("plain");
    try (Table table = table(plain)) {
      table.get(IoPriorities.set(new Get(row(187)), RT3));
      reads(plain, RT3);
    }
  }

  /** Where the request states the priority, of an operation for which HBase calls several hooks. */
  private static void observedRejectionsCountOnce() throws IOException {
    long rejected = PriorityMetrics.REJECTED.sum();
    final long clamped = PriorityMetrics.CLAMPED.sum();
    Scan scan = new Scan().withStartRow(row(188)).withStopRow(row(191)).setCaching(1);
    Delete versions =
        new Delete(row(192)).addColumn(FAMILY, QUALIFIER).addColumn(FAMILY, Bytes.toBytes("d"));
    try (Table table = stating(RT3)) {
      try (ResultScanner scanner = table.getScanner(scan)) {
        assertEquals(3, scanner.next(3).length);
      }
      assertEquals(rejected + 1, PriorityMetrics.REJECTED.sum(), "a scan");
      table.increment(increment(193));
      assertEquals(rejected + 2, PriorityMetrics.REJECTED.sum(), "an increment");
      table.delete(versions);
      assertEquals(rejected + 3, PriorityMetrics.REJECTED.sum(), "a delete");
    }
    assertEquals(clamped, PriorityMetrics.CLAMPED.sum());
  }

  /** The table with a request attribute. */
  private static Table stating(IoPriority priority) {
    return MiniCluster.connection()
        .getTableBuilder(plain, null)
        .setRequestAttribute(IoPriority.ATTRIBUTE, priority.toBytes())
        .build();
  }

  private static Put put(int row, long value) {
    return new Put(row(row)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(value));
  }

  private static long value(Table table, int row) throws IOException {
    return Bytes.toLong(table.get(new Get(row(row))).getValue(FAMILY, QUALIFIER));
  }

  private static RowMutations several(int row, boolean byRequest) throws IOException {
    return RowMutations.of(
        List.of(
            stating(new Put(row(row)).addColumn(FAMILY, Bytes.toBytes("p"), row(1)), byRequest),
            stating(increment(row), byRequest),
            stating(new Append(row(row)).addColumn(FAMILY, Bytes.toBytes("a"), row(1)), byRequest),
            stating(new Delete(row(row)).addColumn(FAMILY, Bytes.toBytes("d")), byRequest)));
  }

  private static <T extends Mutation> T stating(T mutation, boolean byRequest) {
    if (!byRequest) {
      IoPriorities.set(mutation, BE1);
    }
    return mutation;
  }

  private static void assertAsked(int operations, Executable call) throws Exception {
    long before = PriorityMetrics.ASKED.sum();
    assertDoesNotThrow(call);
    assertEquals(operations, PriorityMetrics.ASKED.sum() - before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"turbo", "rt:9", "", "\u0000\u0001\u00ff", "rt:3 "})
  void aMalformedAttributeNeverFailsARead(String text) throws Exception {
    long before = PriorityMetrics.MALFORMED.sum();
    try (Table table = table(plain);
        Table request =
            MiniCluster.connection()
                .getTableBuilder(plain, null)
                .setRequestAttribute(IoPriority.ATTRIBUTE, Bytes.toBytes(text))
                .build()) {
      Get get = new Get(row(110));
      get.setAttribute(IoPriority.ATTRIBUTE, Bytes.toBytes(text));
      assertFalse(table.get(get).isEmpty());
      reads(plain, NOTHING);
      assertEquals(1, PriorityMetrics.MALFORMED.sum() - before);
      assertFalse(request.get(new Get(row(111))).isEmpty());
      reads(plain, NOTHING);
      assertEquals(2, PriorityMetrics.MALFORMED.sum() - before);
    }
  }

  @Test
  void aMalformedTableValueCountsAsNone() throws Exception {
    long before = PriorityMetrics.MALFORMED.sum();
    TableName name = MiniCluster.table("odd", "turbo");
    MiniCluster.load(name, 3, Bytes.toBytes(7L));
    assertTrue(PriorityMetrics.MALFORMED.sum() > before);
    RecordingFileSystem.take("odd");
    try (Table table = table(name)) {
      table.get(new Get(row(1)));
      reads(name, NOTHING);
    }
  }

  @Test
  void moreThanTheLimitIsServedAtTheLimit() throws Exception {
    long before = PriorityMetrics.CLAMPED.sum();
    try (Table table = table(plain)) {
      table.get(IoPriorities.set(new Get(row(120)), IoPriority.realtime(0)));
      reads(plain, IoPriority.realtime(2));
    }
    assertEquals(1, PriorityMetrics.CLAMPED.sum() - before);
  }

  private static Increment increment(int row) {
    return new Increment(row(row)).addColumn(FAMILY, QUALIFIER, 1);
  }

  private static CheckAndMutate.Builder ifSeven(int row) {
    return CheckAndMutate.newBuilder(row(row)).ifEquals(FAMILY, QUALIFIER, Bytes.toBytes(7L));
  }

  private static Table table(TableName name) throws IOException {
    return MiniCluster.connection().getTable(name);
  }

  /** Checks that the table was read since the last call, and that all reads had the priority. */
  private static List<RecordingFileSystem.Read> reads(TableName table, IoPriority priority) {
    List<RecordingFileSystem.Read> reads = RecordingFileSystem.take(table.getQualifierAsString());
    assertFalse(reads.isEmpty(), "nothing was read");
    assertTrue(
        reads.stream().allMatch(read -> Objects.equals(read.priority, priority)), reads.toString());
    return reads;
  }

  /** The reads' priorities, with consecutive equal ones as one. */
  private static List<IoPriority> priorities(List<RecordingFileSystem.Read> reads) {
    List<IoPriority> seen = new ArrayList<>();
    for (RecordingFileSystem.Read read : reads) {
      if (seen.isEmpty() || !Objects.equals(seen.get(seen.size() - 1), read.priority)) {
        seen.add(read.priority);
      }
    }
    return seen;
  }
}
