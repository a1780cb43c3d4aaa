// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.hadoopprio.lab.it.Clusters.assertNearlyAll;
import static org.hadoopprio.lab.it.Clusters.assertNearlyAllButSeeks;
import static org.hadoopprio.lab.it.Clusters.assertOnlyBesideWrites;
import static org.hadoopprio.lab.it.RandomRows.FAMILY;
import static org.hadoopprio.lab.it.RandomRows.QUALIFIER;
import static org.hadoopprio.lab.it.RandomRows.VALUE_BYTES;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.hbase.client.ParallelGets;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * HBase operations take their priority to the block layer under a real cluster and leave none
 * behind. One RPC handler serves all of them, so that whatever one operation leaves on it the next
 * one shows.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HBaseIT {

  private static final int MAX_TRIES = 3;

  /** Twice the period of the cluster's metrics. */
  private static final long METRICS_KEPT_MS = 2_000;

  private static final IoPriority RT3 = IoPriority.realtime(3);
  private static final IoPriority BE7 = IoPriority.bestEffort(7);
  private static final TableName PLAIN = TableName.valueOf("plain");
  private static final TableName OWN_WORK = TableName.valueOf("own-work");

  /** So small that HBase reads no stream for twenty of them. */
  private static final int SMALL_VALUE_BYTES = 1_000;

  private static final int ROWS = 3_000;
  private static final int ROLE_ROWS = 200;
  private static final long ROLE_BYTES = (long) ROLE_ROWS * VALUE_BYTES;

  private static LocalCluster cluster;
  private static Connection connection;

  @BeforeAll
  static void start() throws Exception {
    // The priority scheduler would serve real-time operations on handlers of their own.
    cluster = SharedCluster.getWithStockScheduler();
    Clusters.requireBlockTrace(cluster);
    connection = ConnectionFactory.createConnection(cluster.hbaseConf());
    load(PLAIN, ROWS);
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      Clusters.drop(connection, PLAIN, OWN_WORK);
      connection.close();
    }
  }

  private static void load(TableName table, int rows) throws IOException {
    RandomRows.load(connection, table, rows);
  }

  private static byte[] row(int i) {
    return RandomRows.key(i);
  }

  private static Get get(int i, IoPriority priority) {
    Get get = new Get(row(i));
    return priority == null ? get : IoPriorities.set(get, priority);
  }

  private static BlockTraceSummary traced(TableName table, Clusters.Reads reads) throws Exception {
    return RandomRows.traced(cluster, connection, table, reads);
  }

  private static BlockTraceSummary tracedReads(TableName table, Clusters.Reads reads)
      throws Exception {
    return RandomRows.tracedReads(cluster, connection, table, reads);
  }

  /** With the default of {@code hbase.regionserver.io.priority.roles}. */
  @Test
  void whatARegionServerDoesOfItsOwnAccordHasThePriorityOfItsRole() throws Exception {
    int rows = 2_000;
    // The last bytes of a file, less than the DataNode writes back at a time, are the kernel's.
    double least = 0.9 * rows * VALUE_BYTES;
    // With HBase's own RPC scheduler, the first log after a start is opened before the coprocessor.
    rollLogs();
    BlockTraceSummary loaded = Clusters.traced(cluster, () -> load(OWN_WORK, rows));
    assertTrue(loaded.writes(IoPriority.bestEffort(0)).bytes() >= least, "WAL: " + loaded);
    assertTrue(loaded.writes(IoPriority.bestEffort(2)).bytes() >= least, "flush: " + loaded);

    IoPriority compaction = IoPriority.bestEffort(6);
    BlockTraceSummary compacted =
        traced(
            OWN_WORK,
            () -> {
              try (Admin admin = connection.getAdmin()) {
                compact(admin, OWN_WORK, (long) least);
              }
            });
    assertTrue(compacted.reads(compaction).bytes() >= least, "read: " + compacted);
    assertTrue(compacted.writes(compaction).bytes() >= least, "written: " + compacted);
  }

  /** And the DataNode counts it in the role. */
  @Test
  void theDataNodeCountsByRoleWhatARegionServerDoes() throws Exception {
    TableName name = TableName.valueOf("roles");
    rollLogs();
    RoleMetrics before = roleMetrics();
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                      .setBlocksize(57344)
                      .setPrefetchBlocksOnOpen(true)
                      .build())
              .build());
      int files = 3;
      for (int file = 0; file < files; file++) {
        putRows(table, file * ROLE_ROWS, ROLE_ROWS);
        admin.flush(name);
      }
      // What it writes; what it reads may come from the block cache.
      admin.compact(name);
      awaitRole(before, "compaction-minor", files * ROLE_BYTES);
      awaitCompacted(admin, name);
      admin.majorCompact(name);
      awaitRole(before, "compaction-major", files * ROLE_BYTES);
      awaitCompacted(admin, name);
      // A block of a log counts when it is closed.
      rollLogs();
      awaitRole(before, "wal", files * ROLE_BYTES);
      awaitRole(before, "flush", files * ROLE_BYTES);
      awaitRole(before, "prefetch", ROLE_BYTES);
      awaitRole(before, "store-open", 1);
      bulkLoad(admin, name);
      awaitRole(before, "bulk-load", 1);
      admin.clearBlockCache(PLAIN);
      try (Table plain = connection.getTable(PLAIN)) {
        plain.get(get(1234, RT3));
        plain.get(get(1235, null));
      }
      RoleMetrics now = roleMetrics().since(before);
      assertTrue(now.bytes("client-read", "rt") >= VALUE_BYTES, now::toString);
      assertTrue(now.bytes("client-read", "none") >= VALUE_BYTES, now::toString);
    } finally {
      Clusters.drop(connection, name);
    }
  }

  /** With what writers wait for: a region that takes no more, a store with too many files. */
  @Test
  void whatWritersWaitForIsMoreUrgent() throws Exception {
    TableName name = TableName.valueOf("blocked");
    RoleMetrics before = roleMetrics();
    int files = 3;
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setMemStoreFlushSize(MIB)
              .setRegionSplitPolicyClassName(DisabledRegionSplitPolicy.class.getName())
              .setValue("hbase.hregion.memstore.block.multiplier", "1")
              .setValue("hbase.hstore.blockingStoreFiles", Integer.toString(files))
              .setValue("hbase.hstore.compaction.min", Integer.toString(files))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(57344).build())
              .build());
      assertTrue(ROLE_BYTES > MIB);
      BlockTraceSummary seen =
          Clusters.traced(
              cluster,
              () -> {
                for (int file = 0; file < files; file++) {
                  putRows(table, file * ROLE_ROWS, ROLE_ROWS);
                  admin.flush(name);
                }
                awaitRole(before, "compaction-urgent", files * ROLE_BYTES);
                awaitCompacted(admin, name);
              });
      awaitRole(before, "flush-urgent", (long) (0.9 * files * ROLE_BYTES));
      // The rest: what compactions read, and the ends of files, which the kernel writes.
      long least = files * ROLE_BYTES / 3;
      assertTrue(seen.writes(IoPriority.bestEffort(1)).bytes() >= least, seen::toString);
    } finally {
      Clusters.drop(connection, name);
    }
  }

  /** The last test: a RegionServer that has died leaves its regions to the next one. */
  @Test
  @Order(Integer.MAX_VALUE)
  void theLogOfADeadRegionServerIsRecoveredInItsRole() throws Exception {
    TableName name = TableName.valueOf("recovered");
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      putRows(table, 0, ROLE_ROWS);
      RoleMetrics before = roleMetrics();
      Daemon regionServer = cluster.daemon(Role.REGIONSERVER);
      cluster.kill(regionServer);
      cluster.start(regionServer);
      assertFalse(table.get(get(ROLE_ROWS - 1, null)).isEmpty());
      // Read to be divided, written for the region, and read by it.
      awaitRole(before, "wal-recovery", 3 * ROLE_BYTES);
    } finally {
      Clusters.drop(connection, name);
    }
  }

  private static void rollLogs() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        admin.rollWALWriter(server);
      }
    }
  }

  private static void putRows(Table table, int from, int rows) throws IOException {
    Random random = new Random(from);
    List<Put> puts = new ArrayList<>();
    for (int i = from; i < from + rows; i++) {
      byte[] value = new byte[VALUE_BYTES];
      random.nextBytes(value);
      puts.add(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value));
    }
    table.put(puts);
  }

  /** Loads a copy of a store file of the table's. */
  private static void bulkLoad(Admin admin, TableName name) throws IOException {
    Path table = CommonFSUtils.getTableDir(new Path("/hbase"), name);
    Path target = new Path("/bulk");
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      String region = admin.getRegions(name).get(0).getEncodedName();
      Path family = new Path(new Path(table, region), Bytes.toString(FAMILY));
      Path file =
          Arrays.stream(fs.listStatus(family))
              .filter(FileStatus::isFile)
              // Those before it are archived by and by.
              .max(Comparator.comparingLong(FileStatus::getModificationTime))
              .get()
              .getPath();
      Path copy = new Path(new Path(target, Bytes.toString(FAMILY)), "copy");
      FileUtil.copy(fs, file, fs, copy, false, cluster.hadoopConf());
      BulkLoadHFiles.create(cluster.hbaseConf()).bulkLoad(name, target);
      fs.delete(target, true);
    }
  }

  private static RoleMetrics roleMetrics() throws IOException {
    RoleMetrics.settle(SharedCluster.METRICS_PERIOD_MILLIS);
    return RoleMetrics.of(cluster, cluster.daemon(Role.DATANODE));
  }

  /** Waits until the DataNode has counted so many bytes more for a role at best-effort. */
  private static void awaitRole(RoleMetrics before, String role, long bytes) {
    await(bytes + " bytes of " + role)
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> RoleMetrics.of(cluster, cluster.daemon(Role.DATANODE)).since(before),
            since -> since.bytes(role, "be") >= bytes);
  }

  /** Makes one store file of all, and waits until it is there. */
  private static void compact(Admin admin, TableName name, long bytes) throws IOException {
    // Before it is asked for: it may be counted before the answer is here. A kept answer does: what
    // it lacks of an earlier compaction is little, as the test of that one has seen it counted.
    RoleMetrics before = RoleMetrics.of(cluster, cluster.daemon(Role.DATANODE));
    admin.majorCompact(name);
    awaitRole(before, "compaction-major", bytes);
    awaitCompacted(admin, name);
  }

  /**
   * Waits until a compaction of which bytes were counted has ended. Its last block counts before
   * HBase has opened the new file and let go of those before: a compaction that is asked for in
   * between finds nothing to compact, and reads of other tests meet what is read for that file.
   */
  private static void awaitCompacted(Admin admin, TableName name) {
    await(name + " is compacted")
        .atMost(Duration.ofMinutes(1))
        .until(() -> admin.getCompactionState(name) == CompactionState.NONE);
  }

  private static BlockTraceSummary tracedGet(Table table, Get get) throws Exception {
    return tracedReads(table.getName(), () -> assertFalse(table.get(get).isEmpty()));
  }

  @Test
  void aGetTakesItsPriorityToTheBlockLayerAndLeavesNoneBehind() throws Exception {
    try (Table table = connection.getTable(PLAIN)) {
      for (int i = 0; i < Scale.GET_PAIRS.value(); i++) {
        assertOnlyBesideWrites(RT3, tracedGet(table, get(100 * i, RT3)));
        assertOnlyBesideWrites(IoPriority.NONE, tracedGet(table, get(100 * i + 50, null)));
      }
    }
  }

  @Test
  void parallelGetsAreEachACallWithTheirPriority() throws Exception {
    try (AsyncConnection parallel =
        ConnectionFactory.createAsyncConnection(cluster.hbaseConf()).get()) {
      AsyncTable<?> table = parallel.getTable(PLAIN);
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        gets.add(get(30 + 120 * i, IoPriority.parse("rt:3@200ms")));
      }
      BlockTraceSummary seen =
          traced(
              PLAIN,
              () -> {
                List<Result> results = ParallelGets.get(table, gets).get();
                for (int i = 0; i < gets.size(); i++) {
                  assertArrayEquals(gets.get(i).getRow(), results.get(i).getRow());
                }
              });
      assertOnlyBesideWrites(RT3, seen);
      assertTrue(seen.reads(RT3).requests() >= gets.size(), seen.toString());

      gets.add(5, get(1, RT3).addFamily(Bytes.toBytes("nosuch")));
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> ParallelGets.get(table, gets).get());
      assertTrue(
          failure.getCause() instanceof NoSuchColumnFamilyException,
          () -> "failed with " + failure.getCause());
    }
  }

  @Test
  void aScanKeepsItsPriorityForItsWholeLife() throws Exception {
    long tableBytes = (long) ROWS * VALUE_BYTES;
    assertTrue(tableBytes > 20L * MIB);
    try (Table table = connection.getTable(PLAIN)) {
      Scan scan = IoPriorities.set(new Scan().setCacheBlocks(false), IoPriority.IDLE);
      assertNearlyAll(IoPriority.IDLE, tableBytes, traced(PLAIN, () -> scanAll(table, scan)));
      assertOnlyBesideWrites(
          IoPriority.NONE, traced(PLAIN, () -> scanAll(table, new Scan().setCacheBlocks(false))));
      Scan urgent = IoPriorities.set(new Scan().setCacheBlocks(false).setCaching(50), RT3);
      assertNearlyAll(RT3, tableBytes, traced(PLAIN, () -> scanAll(table, urgent)));
    }
  }

  /** With a priority or without, HBase decides how a scan reads. */
  @Test
  void aShortScanOfManyStoreFilesCostsWhatItCostsInStock() throws Exception {
    TableName name = TableName.valueOf("files");
    loadStoreFiles(name, 8);
    try (Table table = connection.getTable(name)) {
      Cost stock = null;
      Cost prioritised = null;
      // Something else may open a file meanwhile.
      for (int tries = 0;
          tries < MAX_TRIES && (stock == null || !stock.equals(prioritised));
          tries++) {
        scanTwenty(table, IoPriority.NONE);
        Cost before = cost();
        scanTwenty(table, null);
        stock = cost().since(before);
        before = cost();
        scanTwenty(table, BE7);
        prioritised = cost().since(before);
        System.err.println("20 rows of 8 store files: stock " + stock + "; be:7 " + prioritised);
      }
      assertTrue(stock.bytes > 0, stock::toString);
      assertEquals(stock, prioritised);
    } finally {
      Clusters.drop(connection, name);
    }
  }

  /** The values are in files of their own, which a compaction that a user asks for reads, too. */
  @Test
  void largeObjectsAreReadAndCompactedAtTheirPriority() throws Exception {
    TableName name = TableName.valueOf("mob");
    int rows = 600;
    try {
      for (int file = 0; file < 2; file++) {
        loadObjects(name, file, 2, rows);
      }
      try (Table table = connection.getTable(name)) {
        assertObjectOnly(RT3, tracedGet(table, get(7, RT3)));
        assertObjectOnly(IoPriority.NONE, tracedGet(table, get(307, null)));
        Scan idle = IoPriorities.set(new Scan().setCacheBlocks(false), IoPriority.IDLE);
        assertNearlyAllButSeeks(
            IoPriority.IDLE,
            (long) rows * VALUE_BYTES,
            tracedReads(name, () -> scanAll(table, idle, rows)));
      }
      IoPriority compaction = IoPriority.bestEffort(6);
      double least = 0.9 * rows * VALUE_BYTES;
      BlockTraceSummary compacted =
          traced(
              name,
              () -> {
                try (Admin admin = connection.getAdmin()) {
                  compact(admin, name, (long) least);
                }
              });
      assertTrue(compacted.reads(compaction).bytes() >= least, "read: " + compacted);
      assertTrue(compacted.writes(compaction).bytes() >= least, "written: " + compacted);
    } finally {
      Clusters.drop(connection, name);
    }
  }

  private static void loadObjects(TableName name, int part, int parts, int rows)
      throws IOException {
    try (Admin admin = connection.getAdmin();
        Table loaded = connection.getTable(name)) {
      if (!admin.tableExists(name)) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setMobEnabled(true)
                        .setMobThreshold(SMALL_VALUE_BYTES)
                        .build())
                .build());
      }
      Random random = new Random(part);
      List<Put> puts = new ArrayList<>();
      for (int i = part; i < rows; i += parts) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        puts.add(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value));
      }
      loaded.put(puts);
      admin.flush(name);
    }
  }

  /** The object itself, and whatever else is read for it. */
  private static void assertObjectOnly(IoPriority priority, BlockTraceSummary seen) {
    assertTrue(seen.reads(priority).bytes() >= VALUE_BYTES, seen::toString);
    assertOnlyBesideWrites(priority, seen);
  }

  /** Each seek in a store file is done on a thread of a pool, which serves no call. */
  @Test
  @Order(Integer.MAX_VALUE)
  void parallelSeeksHaveThePriorityOfTheirCall() throws Exception {
    TableName name = TableName.valueOf("seeks");
    String key = "hbase.storescanner.parallel.seek.enable";
    cluster.restart(cluster.daemon(Role.REGIONSERVER), o -> o.conf(key, "true"));
    try {
      loadStoreFiles(name, 4);
      try (Table table = connection.getTable(name)) {
        for (int i = 0; i < 3; i++) {
          // Of the whole row, for which HBase does not seek lazily.
          assertOnlyBesideWrites(RT3, tracedGet(table, get(100 * i, RT3)));
          assertOnlyBesideWrites(IoPriority.NONE, tracedGet(table, get(100 * i + 50, null)));
        }
      }
      assertTrue(
          threads(cluster.daemon(Role.REGIONSERVER)).contains("RS_PARALLEL_SEEK"),
          "HBase has not sought in parallel");
    } finally {
      Clusters.drop(connection, name);
      cluster.restart(cluster.daemon(Role.REGIONSERVER), o -> o.conf(key, "false"));
    }
  }

  private static String threads(Daemon daemon) throws IOException {
    return cluster.page(daemon, "/stacks");
  }

  private static void loadStoreFiles(TableName name, int files) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table loaded = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setCompactionEnabled(false)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(57344).build())
              .build());
      for (int file = 0; file < files; file++) {
        List<Put> puts = new ArrayList<>();
        for (int i = file; i < ROWS; i += files) {
          puts.add(new Put(row(i)).addColumn(FAMILY, QUALIFIER, new byte[SMALL_VALUE_BYTES]));
        }
        loaded.put(puts);
        admin.flush(name);
      }
    }
  }

  private static void scanTwenty(Table table, IoPriority priority) throws IOException {
    Scan scan = new Scan().setCaching(20).setCacheBlocks(false);
    if (priority != null) {
      IoPriorities.set(scan, priority);
    }
    try (ResultScanner scanner = table.getScanner(scan)) {
      assertEquals(20, scanner.next(20).length);
    }
  }

  /** What clients have asked of the NameNode and the DataNode. */
  private static final class Cost {
    final long opens;
    final long xceivers;
    final long bytes;

    Cost(long opens, long xceivers, long bytes) {
      this.opens = opens;
      this.xceivers = xceivers;
      this.bytes = bytes;
    }

    Cost since(Cost before) {
      return new Cost(opens - before.opens, xceivers - before.xceivers, bytes - before.bytes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Cost && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
      return toString().hashCode();
    }

    @Override
    public String toString() {
      return opens + " opens, " + xceivers + " reads by DataXceivers, " + bytes + " bytes";
    }
  }

  private static Cost cost() throws IOException {
    // The metrics system keeps an answer for that long.
    Pauses.sleep(METRICS_KEPT_MS, "interrupted while metrics settle");
    JsonNode dataNode = activity(Role.DATANODE, "Hadoop:service=DataNode,name=DataNodeActivity-*");
    JsonNode nameNode = activity(Role.NAMENODE, "Hadoop:service=NameNode,name=NameNodeActivity");
    return new Cost(
        nameNode.get("GetBlockLocations").asLong(),
        dataNode.get("ReadBlockOpNumOps").asLong(),
        dataNode.get("BytesRead").asLong());
  }

  private static JsonNode activity(Role role, String bean) throws IOException {
    return cluster.jmx(cluster.daemon(role), bean).path(0);
  }

  /** The project "examples" as built against the installed API, each client a JVM of its own. */
  @Test
  void theExamplesDoWhatTheySay() throws Exception {
    TableName name = TableName.valueOf("example");
    load(name, 300);
    assertOnlyBesideWrites(
        RT3,
        tracedReads(
            name, () -> example("1 cells", "GetAtPriority", "example", "row000007", "rt:3")));
    assertOnlyBesideWrites(RT3, tracedReads(name, HBaseIT::exampleOfTheShadedClient));
    assertNearlyAllButSeeks(
        IoPriority.IDLE,
        300L * VALUE_BYTES,
        tracedReads(name, () -> example("300 rows", "ScanInBackground", "example")));
    example("example: be:7", "SetTableDefault", "example", "be:7");
    try (Table table = connection.getTable(name)) {
      Scan scan = new Scan().setCacheBlocks(false);
      assertNearlyAllButSeeks(
          BE7, 300L * VALUE_BYTES, tracedReads(name, () -> scanAll(table, scan, 300)));
      // A Get is read under a lock of its store.
      assertOnlyBesideWrites(IoPriority.NONE, tracedGet(table, get(9, null)));
    }
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      SampleFile.write(fs, new Path("/example"), 1);
    }
    assertOnlyBesideWrites(
        RT3,
        tracedReads(name, () -> example("4096 bytes", "ReadHdfsFile", "/example", "rt:3", "4096")));
  }

  private static void example(String says, String mainClass, String... arguments) throws Exception {
    String output =
        Clusters.output(
            cluster
                .client("org.hadoopprio.examples." + mainClass, arguments)
                .addClassPath(ApiArtifacts.examples()));
    assertTrue(output.contains(says), output);
  }

  /** A program whose whole class path is HBase's shaded client and the API; without the agent. */
  private static void exampleOfTheShadedClient() throws Exception {
    List<java.nio.file.Path> classPath = ShadedClients.hbase();
    classPath.addAll(List.of(ApiArtifacts.hbaseApi(), ApiArtifacts.hdfsApi()));
    classPath.add(ApiArtifacts.examples());
    ClientCommand command =
        cluster.client("org.hadoopprio.examples.GetAtPriority", "example", "row000008", "rt:3");
    String output = Clusters.output(command.stock().classPath(classPath));
    assertTrue(output.contains("1 cells"), output);
  }

  private static void scanAll(Table table, Scan scan) throws IOException {
    scanAll(table, scan, ROWS);
  }

  private static void scanAll(Table table, Scan scan, int expected) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    assertEquals(expected, rows);
  }
}
