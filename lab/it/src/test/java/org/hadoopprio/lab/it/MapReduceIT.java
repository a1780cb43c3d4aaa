// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.hadoopprio.lab.it.Clusters.traced;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Stock MapReduce jobs on YARN read at the priority that their environment or a rule of the
 * DataNode states, as the block layer shows.
 */
class MapReduceIT {

  private static final Path TEXT = new Path("/text");
  private static final int TEXT_BYTES = 32 * MIB;

  /** Words are long: with those of a language, a job would sort most of its time. */
  private static final String WORD = "word".repeat(25);

  private static final TableName TABLE = TableName.valueOf("counted");
  private static final IoPriority OF_TABLE = IoPriority.bestEffort(2);
  private static final int ROWS = 2_500;
  private static final int VALUE_BYTES = 10_000;

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = SharedCluster.get();
    Clusters.requireBlockTrace(cluster);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      writeText(fs);
    }
    loadTable();
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf())) {
        Clusters.drop(connection, TABLE);
      }
    }
  }

  private static void writeText(FileSystem fs) throws IOException {
    Random random = new Random(1);
    StringBuilder lines = new StringBuilder();
    while (lines.length() < MIB) {
      lines.append(WORD).append(random.nextInt(1000)).append(random.nextInt(8) > 0 ? ' ' : '\n');
    }
    byte[] chunk = lines.substring(0, MIB).getBytes(StandardCharsets.US_ASCII);
    try (FSDataOutputStream out = fs.create(TEXT)) {
      for (int i = 0; i < TEXT_BYTES / MIB; i++) {
        out.write(chunk);
      }
    }
  }

  private static void loadTable() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
      byte[] family = Bytes.toBytes("f");
      List<Put> puts = new ArrayList<>();
      Random random = new Random(2);
      for (int i = 0; i < ROWS; i++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        puts.add(new Put(Bytes.toBytes(i)).addColumn(family, family, value));
      }
      table.put(puts);
      admin.flush(TABLE);
      admin.clearBlockCache(TABLE);
    }
  }

  /** What docs/mapreduce.md gives as the least that a job needs. */
  private static List<String> environment(String... variables) throws IOException {
    String agent = "JAVA_TOOL_OPTIONS=-javaagent:" + Installation.find().agentJar();
    String value = String.join(",", variables) + "," + agent;
    return List.of("-Dmapreduce.map.env=" + value, "-Dmapreduce.reduce.env=" + value);
  }

  private static String run(String main, String job, List<String> options, String... arguments)
      throws Exception {
    List<String> all = new ArrayList<>();
    all.add(job);
    all.addAll(options);
    all.addAll(Arrays.asList(arguments));
    ClientCommand client = cluster.client(main, all.toArray(new String[0])).stock();
    return Clusters.output(client);
  }

  private static String wordcount(List<String> options, String output) throws Exception {
    return run(
        "org.apache.hadoop.examples.ExampleDriver", "wordcount", options, TEXT.toString(), output);
  }

  @Test
  void wordcountWithTheVariableInItsEnvironmentReadsAtIdle() throws Exception {
    List<String> idle = environment("HADOOP_IO_PRIORITY=idle");
    BlockTraceSummary seen = traced(cluster, () -> wordcount(idle, "/out-idle"));
    assertInputRead(IoPriority.IDLE, seen);
    assertCounted("/out-idle");
  }

  @Test
  void wordcountOfAnUnpatchedClientIsClassedByTheDataNodesRule() throws Exception {
    BlockTraceSummary seen = traced(cluster, () -> wordcount(List.of(), "/out-rule"));
    assertInputRead(IoPriority.bestEffort(7), seen);
    assertCounted("/out-rule");
  }

  /** Its tasks read, write and compare checksums. */
  @Test
  void distcpWithTheVariableInItsEnvironmentReadsAndWritesAtIdle() throws Exception {
    List<String> idle = environment("HADOOP_IO_PRIORITY=idle");
    // The DataNode's part of the checksum passes the policy like a read.
    long granted = Clusters.dataNodes(cluster, "GrantedIdle");
    BlockTraceSummary seen =
        traced(
            cluster,
            () -> {
              List<String> arguments = new ArrayList<>(idle);
              arguments.add(TEXT.toString());
              arguments.add("/copy");
              Clusters.output(
                  cluster
                      .client("org.apache.hadoop.tools.DistCp", arguments.toArray(new String[0]))
                      .stock());
            });
    assertInputRead(IoPriority.IDLE, seen);
    // The last part is still in the page cache when the file is closed.
    assertTrue(seen.writes(IoPriority.IDLE).bytes() >= TEXT_BYTES / 2, seen.toString());
    assertTrue(Clusters.dataNodes(cluster, "GrantedIdle") >= granted + 3);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      assertEquals(fs.getFileChecksum(TEXT), fs.getFileChecksum(new Path("/copy")));
    }
  }

  /** The tasks read the store files themselves, past the RegionServer. */
  @Test
  void aJobOverASnapshotReadsItAtThePriorityOfItsEnvironment() throws Exception {
    IoPriority be5 = IoPriority.bestEffort(5);
    TableName copy = TableName.valueOf("snapshot-copy");
    List<String> options = new ArrayList<>(environment("HADOOP_IO_PRIORITY=" + be5));
    // A client of a RegionServer need not know it; this one looks for the snapshot there.
    options.add("-Dhbase.rootdir=" + cluster.hadoopConf().get("fs.defaultFS") + "/hbase");
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(copy)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
      admin.snapshot("counted-snapshot", TABLE);
      try {
        BlockTraceSummary seen =
            traced(
                cluster,
                () ->
                    run(
                        "org.apache.hadoop.hbase.mapreduce.Driver",
                        "copytable",
                        options,
                        "--new.name=" + copy,
                        "--snapshot",
                        "counted-snapshot"));
        long expected = (long) ((long) ROWS * VALUE_BYTES * Clusters.NEARLY_ALL);
        assertTrue(seen.reads(be5).bytes() >= expected, seen.toString());
      } finally {
        admin.deleteSnapshot("counted-snapshot");
        Clusters.drop(connection, copy);
      }
    }
  }

  /** The rest is what the submitting client and YARN read: the job's jar and description. */
  private static void assertInputRead(IoPriority priority, BlockTraceSummary seen) {
    long expected = (long) (TEXT_BYTES * Clusters.NEARLY_ALL);
    assertTrue(seen.reads(priority).bytes() >= expected, seen.toString());
    long rest = seen.allReads().bytes() - seen.reads(priority).bytes();
    assertTrue(rest <= 2L * MIB, seen.toString());
  }

  private static void assertCounted(String output) throws IOException {
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      assertTrue(fs.exists(new Path(output, "_SUCCESS")));
    }
  }

  /**
   * The agent for every task of the cluster, so that a job needs the variable only. The policy
   * rejects its priority everywhere but in its table; the client's own look-ups in hbase:meta carry
   * it, too.
   */
  @Test
  void rowCounterUnderAClusterWideAgentScansAtItsPriorityThoughThePolicyIsStrict()
      throws Exception {
    String key = "mapreduce.admin.map.child.java.opts";
    String options = cluster.hadoopConf().get(key);
    List<String> priority =
        List.of(
            "-D" + key + "=" + options + " -javaagent:" + Installation.find().agentJar(),
            "-Dmapreduce.map.env.HADOOP_IO_PRIORITY=" + OF_TABLE);
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin()) {
      SharedCluster.setRegionServerPolicy(
          admin,
          "<io-priority-policy mode='reject'>\n<rule user='*' table='"
              + TABLE
              + "' highest='"
              + OF_TABLE
              + "'/>\n<rule user='*' highest='be:6'/></io-priority-policy>\n");
      try {
        // The job fails where it counts another number.
        BlockTraceSummary seen =
            traced(
                cluster,
                () ->
                    run(
                        "org.apache.hadoop.hbase.mapreduce.Driver",
                        "rowcounter",
                        priority,
                        TABLE.getNameAsString(),
                        "--expectedCount=" + ROWS));
        assertNearlyAllOfTable(seen);
      } finally {
        SharedCluster.resetPolicies(admin);
      }
    }
  }

  private static void assertNearlyAllOfTable(BlockTraceSummary seen) {
    assertEquals(0, seen.lostEvents());
    long expected = (long) ((long) ROWS * VALUE_BYTES * Clusters.NEARLY_ALL);
    assertTrue(seen.reads(OF_TABLE).bytes() >= expected, seen.toString());
  }
}
