// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.DaemonOptions;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.RandomPuts;
import org.hadoopprio.lab.workload.YcsbTable;
import org.hadoopprio.lab.workload.YcsbTables;

/** HBase with a DataNode on one disk, and a table of one region that is compacted. */
final class CompactionsBed extends ClientBed<OwnWorkSystem> {

  /**
   * Half of what an idle disk can sync one after the other, as a sync takes 40 to 50 ms. With more,
   * HBase's five threads for syncs wait for one another, and a Put for several syncs.
   */
  static final int PUTS_PER_SECOND = 10;

  static final int PUT_BYTES = 1024;

  /** What a compaction takes beside Puts, about. */
  static final double COMPACTION_GUESS_S = 15;

  private static final String TABLE = "puts";

  /** Large, so that a compaction is limited by the disk and not by the processors. */
  private static final int LOADED_BYTES = 32 << 10;

  /** Room for the files that compactions have replaced until they are deleted. */
  private static final int DISK_FACTOR = 6;

  /** A small table is compacted so often that more is left over than the cleaners keep up with. */
  private static final long LEAST_DISK_BYTES = 4L << 30;

  private static final long COMPACTION_TIMEOUT_MS = 180_000;

  /** A compaction that has not begun by then has failed, as if the disk was full for a moment. */
  private static final long COMPACTION_RETRY_MS = 10_000;

  private static final double MS_PER_SECOND = 1e3;
  private static final double BYTES_PER_MB = 1e6;

  private final Connection connection;
  private final Admin admin;
  private final FileSystem fs;
  private final RegionInfo region;
  private final int aloneSeconds;
  private final int besideSeconds;

  private CompactionsBed(
      LocalCluster cluster,
      OwnWorkDrive drive,
      long tableBytes,
      int aloneSeconds,
      int besideSeconds,
      StepLog log)
      throws IOException {
    super(cluster);
    this.aloneSeconds = aloneSeconds;
    this.besideSeconds = besideSeconds;
    this.connection = ConnectionFactory.createConnection(cluster.hbaseConf());
    this.admin = connection.getAdmin();
    this.fs = FileSystem.newInstance(cluster.hadoopConf());
    drive.tune(drives());
    drives().fast(() -> load(tableBytes, log));
    this.region = admin.getRegions(TableName.valueOf(TABLE)).get(0);
  }

  /**
   * Starts the cluster and writes the table.
   *
   * @param directory the cluster's
   * @param tableBytes the values of the table
   * @param aloneSeconds how long Puts alone are measured
   * @param besideSeconds how long Puts beside compactions are measured
   */
  static CompactionsBed start(
      Path directory,
      OwnWorkDrive drive,
      long tableBytes,
      int aloneSeconds,
      int besideSeconds,
      StepLog log)
      throws IOException {
    log.say("starting HDFS and HBase");
    long diskBytes = Math.max(LEAST_DISK_BYTES, DISK_FACTOR * tableBytes);
    return BedClusters.start(
        BedClusters.hbase(directory, drive.kind(), diskBytes)
            .littlePageCache()
            .configure(Role.REGIONSERVER, CompactionsBed::configure),
        cluster ->
            new CompactionsBed(cluster, drive, tableBytes, aloneSeconds, besideSeconds, log));
  }

  private static void configure(DaemonOptions regionServer) {
    regionServer
        .conf("hbase.hfile.compaction.discharger.interval", "5000")
        // By default HBase limits compactions to 50 to 100 MB/s; here the disk limits them.
        .conf(
            "hbase.regionserver.throughput.controller", NoLimitThroughputController.class.getName())
        // One sync for all Puts that wait for it. The default, asyncfs, sends one sync for each few
        // Puts, which the DataNode does one after the other: the Puts would be a load that the disk
        // cannot do beside a compaction.
        .conf("hbase.wal.provider", "filesystem")
        .conf("hbase.regionserver.handler.count", Integer.toString(CLIENT_THREADS));
  }

  private void load(long bytes, StepLog log) throws IOException {
    log.say("loading the table, " + (bytes >> 20) + " MiB");
    TableName name = TableName.valueOf(TABLE);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(YcsbTable.FAMILY))
            .setSplitEnabled(false)
            .build());
    byte[] value = new byte[LOADED_BYTES];
    new Random(1).nextBytes(value);
    long rows = bytes / LOADED_BYTES;
    try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
      for (long row = 0; row < rows; row++) {
        Put put = new Put(Bytes.toBytes(row));
        put.addColumn(Bytes.toBytes(YcsbTable.FAMILY), Bytes.toBytes("q"), value);
        mutator.mutate(put.setDurability(Durability.SKIP_WAL));
        log.at((double) row / rows, row + " of " + rows + " rows");
      }
    }
    log.say("flush and compaction of the table");
    new YcsbTables(cluster().hbaseConf()).settle(TABLE, () -> {});
  }

  @Override
  protected ObjectNode measured(String condition, OwnWorkSystem system) throws IOException {
    // A log keeps the priority that it was opened with.
    for (ServerName server : admin.getRegionServers()) {
      admin.rollWALWriter(server);
    }
    cluster().evictPageCache();
    return condition.equals(CompactionsExperiment.ALONE)
        ? measured(puts(aloneSeconds), aloneSeconds, Optional.empty())
        : measured(puts(besideSeconds), besideSeconds, Optional.of((from, to) -> compactUntil(to)));
  }

  private ClientCommand puts(int seconds) throws IOException {
    return cluster()
        .client(
            RandomPuts.class,
            "--table=" + TABLE,
            "--length=" + PUT_BYTES,
            "--rate=" + PUTS_PER_SECOND,
            "--threads=" + CLIENT_THREADS,
            "--seed=" + measurements(),
            "--seconds=" + seconds);
  }

  /** One compaction after the other. */
  private ObjectNode compactUntil(long to) throws IOException {
    List<Long> durations = new ArrayList<>();
    long bytes = 0;
    while (System.currentTimeMillis() < to) {
      long begin = System.currentTimeMillis();
      FileStatus made = compact();
      bytes = made.getLen();
      // The last one goes on when there are no Puts any more.
      if (made.getModificationTime() <= to || durations.isEmpty()) {
        durations.add(made.getModificationTime() - begin);
      }
    }
    double seconds =
        durations.stream().mapToLong(Long::longValue).average().orElseThrow() / MS_PER_SECOND;
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("count", durations.size());
    json.put("bytes", bytes);
    json.put("seconds", seconds);
    json.put("mb_per_s", bytes / BYTES_PER_MB / seconds);
    return json;
  }

  /** Compacts the region and returns its new file. */
  private FileStatus compact() throws IOException {
    Set<String> before = new HashSet<>();
    storeFiles().forEach(file -> before.add(file.getPath().getName()));
    admin.majorCompactRegion(region.getRegionName());
    AtomicLong retry = new AtomicLong(System.currentTimeMillis() + COMPACTION_RETRY_MS);
    AtomicReference<FileStatus> made = new AtomicReference<>();
    Pauses.await(
        "the end of a compaction of table " + TABLE,
        COMPACTION_TIMEOUT_MS,
        () -> {
          long now = System.currentTimeMillis();
          // Another request would find nothing to compact before this one has ended.
          if (admin.getCompactionStateForRegion(region.getRegionName()) != CompactionState.NONE) {
            retry.set(now + COMPACTION_RETRY_MS);
            return false;
          }
          storeFiles().stream()
              .filter(file -> !before.contains(file.getPath().getName()))
              .forEach(made::set);
          if (made.get() == null && now > retry.get()) {
            retry.set(now + COMPACTION_RETRY_MS);
            admin.majorCompactRegion(region.getRegionName());
          }
          return made.get() != null;
        });
    return made.get();
  }

  private List<FileStatus> storeFiles() throws IOException {
    String directory =
        String.join("/", "/hbase/data/default", TABLE, region.getEncodedName(), YcsbTable.FAMILY);
    return List.of(fs.listStatus(new org.apache.hadoop.fs.Path(directory)));
  }

  @Override
  public void close() throws IOException {
    try {
      admin.close();
      connection.close();
      fs.close();
    } finally {
      super.close();
    }
  }
}
