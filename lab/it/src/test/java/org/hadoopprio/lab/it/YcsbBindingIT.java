// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * YCSB's client and shell load, read and measure by priority through the binding, on a real
 * cluster.
 */
class YcsbBindingIT {

  private static final TableName TABLE = TableName.valueOf("usertable");
  private static final int RECORDS = 4_000;
  private static final int FIELD_BYTES = 1_000;

  private static LocalCluster cluster;
  private static Connection connection;
  private static Admin admin;

  @BeforeAll
  static void start() throws Exception {
    cluster = SharedCluster.get();
    connection = ConnectionFactory.createConnection(cluster.hbaseConf());
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    if (connection != null) {
      Clusters.drop(connection, TABLE);
      admin.close();
      connection.close();
    }
  }

  @BeforeEach
  void makeEmptyTable() throws IOException {
    Clusters.drop(connection, TABLE);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build());
  }

  private static String[] arguments(String phase, String... properties) {
    List<String> arguments = new ArrayList<>();
    if (!phase.isEmpty()) {
      arguments.add(phase);
      arguments.addAll(List.of("-threads", "4"));
    }
    arguments.addAll(List.of("-db", "org.hadoopprio.ycsb.HBasePriorityClient"));
    List<String> all = new ArrayList<>();
    all.add("columnfamily=f");
    all.add("workload=site.ycsb.workloads.CoreWorkload");
    all.add("recordcount=" + RECORDS);
    all.add("fieldcount=1");
    all.add("fieldlength=" + FIELD_BYTES);
    all.addAll(List.of(properties));
    for (String property : all) {
      arguments.add("-p");
      arguments.add(property);
    }
    return arguments.toArray(new String[0]);
  }

  private static String ycsb(String phase, String... properties) throws Exception {
    return Clusters.output(cluster.client("site.ycsb.Client", arguments(phase, properties)));
  }

  /** A value of YCSB's report, such as {@code [READ], Operations, 12}; 0 where it has none. */
  private static int reported(String output, String series, String measurement) {
    Matcher matcher =
        Pattern.compile(
                "^\\[" + Pattern.quote(series) + "], " + Pattern.quote(measurement) + ", (\\d+)",
                Pattern.MULTILINE)
            .matcher(output);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  private static int rows() throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        assertEquals(FIELD_BYTES, row.rawCells()[0].getValueLength());
        rows++;
      }
    }
    return rows;
  }

  @Test
  void loadsWithAndWithoutClientBuffering() throws Exception {
    String buffered = ycsb("-load", "clientbuffering=true", "hbase.ioprio=be:3");
    assertEquals(RECORDS, reported(buffered, "INSERT", "Return=BATCHED_OK"), buffered);
    assertEquals(RECORDS, rows());
    makeEmptyTable();
    String direct = ycsb("-load", "insertcount=200", "durability=ASYNC_WAL");
    assertEquals(200, reported(direct, "INSERT", "Return=OK"), direct);
    assertEquals(200, rows());
  }

  @Test
  void mixedWorkloadSucceedsAndIsMeasuredByPriority() throws Exception {
    ycsb("-load", "clientbuffering=true");
    String output =
        ycsb(
            "-t",
            "operationcount=2000",
            "readproportion=0.4",
            "scanproportion=0.2",
            "insertproportion=0.2",
            "updateproportion=0.2",
            "maxscanlength=20",
            "hbase.ioprio=be:3",
            "hbase.ioprio.read.percent=50",
            "hbase.ioprio.scan=idle");
    int all = 0;
    for (String operation : new String[] {"READ", "SCAN", "INSERT", "UPDATE"}) {
      int ok = reported(output, operation, "Return=OK");
      assertTrue(ok > 200, operation + " " + output);
      assertEquals(reported(output, operation, "Operations"), ok, operation + " " + output);
      all += ok;
    }
    assertEquals(2000, all, output);
    int with = reported(output, "READ-be:3", "Operations");
    int without = reported(output, "READ-none", "Operations");
    assertEquals(reported(output, "READ", "Operations"), with + without, output);
    assertTrue(with > 200 && without > 200, output);
    assertFalse(output.contains("[SCAN-"), output);
    assertEquals(RECORDS + reported(output, "INSERT", "Operations"), rows());
  }

  @Test
  void theShellInsertsReadsUpdatesScansAndDeletes() throws Exception {
    Path commands = Files.createTempFile("ycsb-shell-", ".txt");
    try {
      Files.write(
          commands,
          List.of(
              "insert user1 a=one b=two",
              "insert user2 a=three",
              "read user1",
              "update user1 a=four",
              "read user1 a",
              "scan user1 10",
              "delete user1",
              "read user1",
              "read user2",
              "quit"));
      String output =
          Clusters.output(
              cluster
                  .client("site.ycsb.CommandLine", arguments("", "hbase.ioprio=rt:3"))
                  .toProcessBuilder()
                  .redirectInput(commands.toFile()));
      List<String> seen = new ArrayList<>();
      Matcher matcher =
          Pattern.compile(
                  "(?:a|b)=(?:one|two|three|four)|(?:Return code|Return result|Result): [A-Z_]+")
              .matcher(output);
      while (matcher.find()) {
        seen.add(matcher.group());
      }
      assertEquals(
          List.of(
              "Result: OK",
              "Result: OK",
              "Return code: OK",
              "a=one",
              "b=two",
              "Result: OK",
              "Return code: OK",
              "a=four",
              "Result: OK",
              "a=four",
              "b=two",
              "a=three",
              "Return result: OK",
              "Return code: NOT_FOUND",
              "Return code: OK",
              "a=three"),
          seen,
          output);
    } finally {
      Files.delete(commands);
    }
  }

  @Test
  void readsReachTheDiskAtThePriority() throws Exception {
    Clusters.requireBlockTrace(cluster);
    ycsb("-load", "clientbuffering=true");
    admin.flush(TABLE);
    admin.clearBlockCache(TABLE);
    BlockTraceSummary seen =
        Clusters.traced(
            cluster,
            () ->
                ycsb(
                    "-t",
                    "operationcount=500",
                    "readproportion=1",
                    "updateproportion=0",
                    "requestdistribution=uniform",
                    "hbase.ioprio.read=rt:3"));
    IoPriority priority = IoPriority.realtime(3);
    assertTrue(seen.reads(priority).requests() > 20, seen.toString());
    // What the client reads of hbase:meta and before the first operation has no priority.
    assertTrue(seen.shareOfReadBytes(priority) > 0.9, seen.toString());
  }

  @Test
  void whatIsNotAllowedIsToldAtTheStart() throws Exception {
    String priority = ycsb("-t", "operationcount=1", "hbase.ioprio=rt:9");
    assertTrue(
        priority.contains("property hbase.ioprio = \"rt:9\" is not allowed; allowed: rt,"),
        priority);
    String family = ycsb("-t", "operationcount=1", "columnfamily=g");
    assertTrue(family.contains("cannot use column family g of HBase table usertable"), family);
    String table = ycsb("-t", "operationcount=1", "table=missing");
    assertTrue(table.contains("cannot use column family f of HBase table missing"), table);
  }
}
