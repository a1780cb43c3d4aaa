// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.tools.prove.ProveCommand;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * {@code hprio prove} on a running cluster: a row that reaches the disk at its priority, and what
 * an operator is told where it does not.
 */
class ProveIT {

  private static final TableName TABLE = TableName.valueOf("proven");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 60;

  /** Two of them are a block of a store file. */
  private static final int VALUE_BYTES = 40_000;

  private static LocalCluster cluster;
  private static Connection connection;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    cluster = SharedCluster.get();
    Clusters.requireBlockTrace(cluster);
    connection = ConnectionFactory.createConnection(cluster.hbaseConf());
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(put(row(i)));
      }
      table.put(puts);
      admin.flush(TABLE);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      Clusters.drop(connection, TABLE);
      connection.close();
    }
  }

  @AfterEach
  void theConfigurationIsAsItWas() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      SharedCluster.resetPolicies(admin);
    }
    setMode("turns");
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, new byte[VALUE_BYTES]);
  }

  private static String row(int i) {
    return String.format("row%03d", i);
  }

  private static void setMode(String mode) throws IOException {
    cluster.reconfigure(
        cluster.daemon(Role.DATANODE), o -> o.conf(SchedulerKeys.MODE.name(), mode));
  }

  private int prove(String table, String row, String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of(table, row, "--conf", cluster.clientConfDirectory().toString()));
    return new CommandLine(new ProveCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(new String[0]));
  }

  private void assertSays(int status, String said, int exit) {
    String all = out + "" + err;
    assertTrue(all.contains(said), all);
    assertEquals(status, exit, all);
  }

  @Test
  void aRowReachesTheDiskAtItsPriority() {
    assertSays(
        0, "proven: the Get reached the disk at rt:0", prove(TABLE.getNameAsString(), row(10)));
    String said = out.toString();
    assertTrue(said.contains("Stamped grew by"), said);
    assertTrue(said.contains("real-time calls have handlers of their own"), said);
    assertTrue(said.matches("(?s).*at rt,0,0 by DataNode \\d+ DataXceiver.*"), said);
  }

  /** The lowest row, with which a search for it begins before the file. */
  @Test
  void anotherPriorityIsProvenAlike() {
    int exit = prove(TABLE.getNameAsString(), row(0), "--priority", "be:3", "--json");
    assertSays(0, "\"verdict\":\"proven: the Get reached the disk at be:3\"", exit);
  }

  /**
   * Its answer would be the load of every region of the cluster; who serves the row knows enough.
   */
  @Test
  void theMasterIsNotAsked() throws Exception {
    String master = Long.toString(cluster.daemon(Role.MASTER).pid().orElseThrow());
    SystemCommand.run("kill", "-STOP", master);
    try {
      assertSays(0, "proven: ", prove(TABLE.getNameAsString(), row(50)));
    } finally {
      SystemCommand.run("kill", "-CONT", master);
    }
  }

  @Test
  void aPolicyThatLowersItIsNamed() throws IOException {
    SharedCluster.setDataNodePolicy(
        "<io-priority-policy>\n<rule user='*' highest='be:2'/>\n</io-priority-policy>\n");
    assertSays(
        1,
        "stopped at hop datanode: the policy of the DataNode does not allow it: Clamped grew by",
        prove(TABLE.getNameAsString(), row(20)));
    assertTrue(out.toString().contains("at be,0,2 by DataNode"), out.toString());
  }

  @Test
  void aDataNodeThatIsOffIsNamed() throws IOException {
    setMode("off");
    assertSays(1, "stopped at hop datanode: volume ", prove(TABLE.getNameAsString(), row(30)));
    String said = out.toString();
    assertTrue(said.contains(" has mode off"), said);
    assertTrue(said.contains("at the disk: 1 read"), said);
  }

  /** The newer cell is in another file; a Get of the whole row reads both. */
  @Test
  void aRowInTwoStoreFilesIsFollowedInBoth() throws IOException {
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      table.put(new Put(Bytes.toBytes(row(58))).addColumn(FAMILY, other(), new byte[VALUE_BYTES]));
      admin.flush(TABLE);
    }
    assertSays(0, "proven: ", prove(TABLE.getNameAsString(), row(58)));
    String said = out.toString();
    assertTrue(
        said.matches("(?s).*store-files +f/\\w+ in blk_\\d+ on \\S+, read at the disk; f/.*"),
        said);
    assertEquals(2, said.split(", read at the disk", -1).length - 1, said);
  }

  private static byte[] other() {
    return Bytes.toBytes("g");
  }

  @Test
  void aRowInTheBlockCacheDoesNotReachTheDataNode() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      table.get(new Get(Bytes.toBytes(row(40))));
    }
    assertSays(
        2,
        "cannot be told, at hop hdfs-client: the RegionServer has answered from its memory",
        prove(TABLE.getNameAsString(), row(40)));
  }

  @Test
  void aRowThatIsOnNoDiskIsTold() throws IOException {
    // Another test flushes what was put before.
    try (Table table = connection.getTable(TABLE)) {
      table.put(new Put(Bytes.toBytes("put-now")).addColumn(FAMILY, other(), new byte[1]));
    }
    assertSays(2, "in memstore only", prove(TABLE.getNameAsString(), "put-now"));
  }

  @Test
  void aRowThatThereIsNotIsTold() {
    assertSays(2, "there is no such row in proven", prove(TABLE.getNameAsString(), "row0105"));
  }

  @Test
  void aTableThatThereIsNotIsTold() {
    assertSays(2, "there is no table unheard-of", prove("unheard-of", row(1)));
  }
}
