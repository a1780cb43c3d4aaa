// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.workload.Pauses;
import org.hadoopprio.lab.workload.RandomPuts;
import org.hadoopprio.lab.workload.StreamFiles;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;
import org.hadoopprio.lab.workload.YcsbTable;

/** HBase with a DataNode on one disk, and files that scans read, one each. */
final class ScansBed extends OwnWorkBed {

  static final int SCANS = 16;
  static final int PUT_BYTES = 64 << 10;

  /** 30 MB/s. */
  static final int PUTS_PER_SECOND = 458;

  private static final int PUT_THREADS = 64;
  private static final long FILE_BYTES = 128L << 20;

  /** The files, and what is written in a measurement and the one before: logs and store files. */
  private static final long DISK_BYTES = 9L << 30;

  private static final org.apache.hadoop.fs.Path FILES = new org.apache.hadoop.fs.Path("/scanned");

  private static final TableName TABLE = TableName.valueOf("written");
  private static final long POLL_MS = 100;
  private static final double BYTES_PER_MB = 1e6;

  private final Connection connection;
  private final Admin admin;
  private final Map<String, String> durabilities;
  private final int seconds;
  private final Path logs;

  private ScansBed(
      LocalCluster cluster,
      Map<String, String> durabilities,
      int seconds,
      OwnWorkDrive drive,
      StepLog log)
      throws IOException {
    super(cluster, drive);
    this.durabilities = durabilities;
    this.seconds = seconds;
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("scans"));
    this.connection = ConnectionFactory.createConnection(cluster.hbaseConf());
    this.admin = connection.getAdmin();
    log.say("writing the files");
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      drives().fast(() -> StreamFiles.write(fs, FILES, 0, SCANS, FILE_BYTES, bytes -> {}));
    }
  }

  /**
   * Starts the cluster and writes the files.
   *
   * @param directory the cluster's
   * @param durabilities of the Puts, by condition
   * @param seconds how long a condition is measured
   */
  static ScansBed start(
      Path directory,
      Map<String, String> durabilities,
      int seconds,
      OwnWorkDrive drive,
      StepLog log)
      throws IOException {
    log.say("starting HDFS and HBase");
    // The DataNode has as much page cache as it wants: what is measured is an answer from there.
    LocalCluster cluster =
        LocalCluster.builder(directory)
            .yarn(false)
            .dataNodes(1)
            .disk(drive.kind())
            .diskBytes(DISK_BYTES)
            .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
            .stopAtExit(true)
            .progress(Progress.silent())
            // Logs and files that are not needed any more must not fill the disk.
            .configure(Role.MASTER, o -> o.conf("hbase.master.hfilecleaner.ttl", "1000"))
            .configure(Role.MASTER, o -> o.conf("hbase.master.logcleaner.ttl", "1000"))
            .configure(Role.MASTER, o -> o.conf("hbase.master.cleaner.interval", "5000"))
            .configure(
                Role.REGIONSERVER,
                o -> o.conf("hbase.regionserver.handler.count", Integer.toString(PUT_THREADS)))
            .configure(Role.REGIONSERVER, o -> o.heapMb(1024))
            .start();
    try {
      return new ScansBed(cluster, durabilities, seconds, drive, log);
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  @Override
  ObjectNode measured(String condition, OwnWorkSystem system) throws IOException {
    createTable();
    cluster().evictPageCache();
    ClientCommand scans =
        cluster().client(StreamReaders.class, StreamLoad.arguments(FILES.toString(), SCANS));
    try (StreamLoad load =
        StreamLoad.start(scans, logs.resolve("measurement-" + measurements() + ".log"))) {
      ObjectNode result =
          measured(
              puts(durabilities.get(condition)),
              seconds,
              Optional.of((from, to) -> awaitScans(load, from, to)));
      result.withArray("commands").add(scans.toText());
      return result;
    }
  }

  private ObjectNode awaitScans(StreamLoad load, long from, long to) throws IOException {
    while (System.currentTimeMillis() < to) {
      load.requireAlive();
      Pauses.sleep(POLL_MS, "interrupted while files were read");
    }
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("mb_per_s", load.bytesPerSecond(from, to) / BYTES_PER_MB);
    json.put("longest_wait_ms", load.longestWaitMillis(from, to));
    return json;
  }

  /** An empty table without compactions: another one would write as much again. */
  private void createTable() throws IOException {
    if (admin.tableExists(TABLE)) {
      admin.disableTable(TABLE);
      admin.deleteTable(TABLE);
    }
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(YcsbTable.FAMILY))
            .setSplitEnabled(false)
            .setCompactionEnabled(false)
            .build());
  }

  private ClientCommand puts(String durability) throws IOException {
    return cluster()
        .client(
            RandomPuts.class,
            "--table=" + TABLE,
            "--durability=" + durability,
            "--length=" + PUT_BYTES,
            "--rate=" + PUTS_PER_SECOND,
            "--threads=" + PUT_THREADS,
            "--seed=" + measurements(),
            "--seconds=" + seconds);
  }

  @Override
  public void close() throws IOException {
    try {
      admin.close();
      connection.close();
    } finally {
      super.close();
    }
  }
}
