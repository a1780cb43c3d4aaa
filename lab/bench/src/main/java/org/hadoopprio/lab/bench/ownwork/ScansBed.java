// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.workload.RandomPuts;
import org.hadoopprio.lab.workload.StreamFiles;
import org.hadoopprio.lab.workload.YcsbTable;

/** HBase with a DataNode on one disk, and files that scans read, one each. */
final class ScansBed extends ClientBed<OwnWorkSystem> {

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

  private final Connection connection;
  private final Admin admin;
  private final Map<String, String> durabilities;
  private final int seconds;

  private ScansBed(
      LocalCluster cluster,
      OwnWorkDrive drive,
      Map<String, String> durabilities,
      int seconds,
      StepLog log)
      throws IOException {
    super(cluster);
    this.durabilities = durabilities;
    this.seconds = seconds;
    this.connection = ConnectionFactory.createConnection(cluster.hbaseConf());
    this.admin = connection.getAdmin();
    drive.tune(drives());
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
      OwnWorkDrive drive,
      Map<String, String> durabilities,
      int seconds,
      StepLog log)
      throws IOException {
    log.say("starting HDFS and HBase");
    // The DataNode has as much page cache as it wants: what is measured is an answer from there.
    return BedClusters.start(
        BedClusters.hbase(directory, drive.kind(), DISK_BYTES)
            .configure(
                Role.REGIONSERVER,
                o ->
                    o.conf("hbase.regionserver.handler.count", Integer.toString(PUT_THREADS))
                        .heapMb(1024)),
        cluster -> new ScansBed(cluster, drive, durabilities, seconds, log));
  }

  @Override
  protected ObjectNode measured(String condition, OwnWorkSystem system) throws IOException {
    createTable();
    cluster().evictPageCache();
    return besideStreams(puts(durabilities.get(condition)), seconds, FILES.toString(), SCANS);
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
