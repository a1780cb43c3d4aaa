// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.bed.BlockFiles;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.ShortCircuit;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Drive;
import org.hadoopprio.lab.disk.RequestQueue;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.PaddedText;
import org.hadoopprio.lab.workload.StreamFiles;
import org.hadoopprio.lab.workload.YcsbClient;
import org.hadoopprio.lab.workload.YcsbReads;
import org.hadoopprio.lab.workload.YcsbTable;
import org.hadoopprio.lab.workload.YcsbTables;
import org.hadoopprio.tools.trace.DeviceNumber;

/**
 * The cluster that all cells run on: one DataNode on one disk, two tables, text and the streams'
 * files. Not thread-safe, except that {@link #close} may be called by another thread.
 */
final class MixedBed implements Closeable {

  static final String STREAM_DIRECTORY = "/mixed/streams";
  static final String TEXT_DIRECTORY = "/mixed/text";

  private static final Set<Role> SWITCHED = Set.of(Role.DATANODE, Role.MASTER, Role.REGIONSERVER);

  private static final double COMPACTION_GUESS_S = 30;
  private static final int WARM_UP_THREADS = 8;
  private static final long TABLES_TIMEOUT_MS = 120_000;

  private final MixedScale scale;
  private final StepLog log;
  private final LocalCluster cluster;
  private final Path logs;
  private final Disk disk;
  private final RequestQueue queue;
  private final Optional<Vhdd> vhdd;
  private Map<String, Set<Path>> streamBlocks = Map.of();
  private Deployment deployment = Deployment.STOCK;

  private MixedBed(MixedScale scale, StepLog log, LocalCluster cluster) throws IOException {
    this.scale = scale;
    this.log = log;
    this.cluster = cluster;
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("mixed"));
    this.disk = cluster.disks().get(0);
    this.queue = RequestQueue.of(device());
    this.vhdd =
        disk instanceof VirtualDisk virtual ? Optional.of(virtual.vhdd()) : Optional.empty();
  }

  /**
   * Starts a stock cluster and writes all data.
   *
   * @param drive which one the virtual disk is
   * @param directory the cluster's
   * @param plan what is going to be measured
   */
  static MixedBed start(Drive drive, Path directory, MixedPlan plan, MixedScale scale, StepLog log)
      throws IOException {
    boolean yarn = plan.backgrounds().stream().anyMatch(Background::isJob);
    log.say("starting HDFS, HBase" + (yarn ? " and YARN" : ""));
    return BedClusters.start(
        BedClusters.hbase(directory, DiskKind.VIRTUAL, scale.diskBytes())
            .drive(drive)
            .yarn(yarn)
            .stock()
            .littlePageCache()
            // Whether HBase is ready is told by its metrics: look at them while they are fresh.
            .metricsPeriodMillis(1_000)
            .configure(
                Role.REGIONSERVER,
                o ->
                    // Drop what was read from the page cache, so that each Get reaches the disk.
                    o.conf("dfs.client.cache.drop.behind.reads", "true")
                        // Large enough for indexes and bloom filters; data are not cached.
                        .conf("hfile.block.cache.size", "0.03")),
        cluster -> new MixedBed(scale, log, cluster).prepared(plan));
  }

  private MixedBed prepared(MixedPlan plan) throws IOException {
    try {
      prepareFor(plan);
      if (plan.backgrounds().stream().anyMatch(Background::isJob)) {
        JobProcessors.confine(cluster.daemon(Role.NODEMANAGER));
      }
      writeData();
      warmUp();
      return this;
    } catch (IOException | RuntimeException e) {
      ShortCircuit.remove();
      throw e;
    }
  }

  LocalCluster cluster() {
    return cluster;
  }

  MixedScale scale() {
    return scale;
  }

  /** Where the logs of cells go. */
  Path logs() {
    return logs;
  }

  /** The drive's controls; empty for a disk without a model. */
  Optional<Vhdd> vhdd() {
    return vhdd;
  }

  Collection<DeviceNumber> devices() throws IOException {
    return cluster.devices();
  }

  /** Sets up what systems need, or says what they miss, before data take their time. */
  private void prepareFor(MixedPlan plan) throws IOException {
    for (MixedSystem system : plan.systems()) {
      queue.scheduler(system.scheduler());
    }
    if (plan.systems().stream().anyMatch(MixedSystem::local)) {
      ShortCircuit.prepare(cluster.daemon(Role.DATANODE));
    }
  }

  private DeviceNumber device() {
    return disk.device()
        .orElseThrow(() -> new IllegalStateException(disk.description() + " has no device"));
  }

  private void writeData() throws IOException {
    fast(
        () -> {
          balancerOff();
          try (FileSystem fs = FileSystem.newInstance(cluster.writerConf())) {
            load(
                scale.readTable(),
                (region, regions) -> {
                  // Spread the table over the disk, as if it had grown over time.
                  int first = scale.streams() * region / regions;
                  writeStreams(fs, first, scale.streams() * (region + 1) / regions - first);
                });
            writeText(fs);
          }
          if (scale.hasCountTable()) {
            load(scale.countTable(), (region, regions) -> {});
          }
        });
    if (scale.streamBytes() > 0) {
      streamBlocks = BlockFiles.byFile(cluster, STREAM_DIRECTORY);
    }
  }

  private void balancerOff() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true);
    }
  }

  private void load(YcsbTable table, YcsbTables.AfterRegion after) throws IOException {
    log.say("loading table " + table.name() + ", " + mib(table.bytes()));
    YcsbTables tables = new YcsbTables(cluster.hbaseConf());
    tables.createForColdReads(table.name());
    new YcsbClient(cluster, logs).load(table, progress(table.records(), "records"));
    log.say("flush and compaction of " + table.name());
    long start = System.nanoTime();
    tables.settleByRegion(
        table.name(),
        () -> {
          double seconds = (System.nanoTime() - start) / 1e9;
          log.at(Math.min(0.99, seconds / COMPACTION_GUESS_S), "compaction of " + table.name());
        },
        after);
  }

  private void writeStreams(FileSystem fs, int first, int count) throws IOException {
    long bytes = count * scale.streamBytes();
    if (bytes == 0) {
      return;
    }
    log.say("writing files " + first + " to " + (first + count - 1) + " of streams, " + mib(bytes));
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(STREAM_DIRECTORY);
    StreamFiles.write(fs, directory, first, count, scale.streamBytes(), progress(bytes, "bytes"));
  }

  private void writeText(FileSystem fs) throws IOException {
    long bytes = scale.textBytes();
    if (bytes == 0) {
      return;
    }
    log.say("writing text, " + mib(bytes));
    PaddedText.write(
        fs, new org.apache.hadoop.fs.Path(TEXT_DIRECTORY), bytes, progress(bytes, "bytes"));
  }

  private LongConsumer progress(long all, String what) {
    return done -> log.at((double) done / all, done + " of " + all + " " + what);
  }

  private static String mib(long bytes) {
    return (bytes >> 20) + " MiB";
  }

  /** Does work while the drive answers without delay. */
  private void fast(VirtualDisk.Work work) throws IOException {
    VirtualDisk.fast(List.of(disk), work);
  }

  /** Restarts or reconfigures daemons if a cell needs other ones than those that run. */
  void deploy(Deployment wanted) throws IOException {
    if (wanted.equals(deployment)) {
      return;
    }
    if (!wanted.needsRestartAfter(deployment)) {
      log.say("reconfiguring DataNode: " + wanted);
      cluster.reconfigure(
          cluster.daemon(Role.DATANODE),
          options -> wanted.conf(Role.DATANODE).forEach(options::conf));
      deployment = wanted;
      return;
    }
    log.say("restarting DataNode and HBase: " + wanted);
    fast(
        () -> {
          boolean limits = cluster.hasLittlePageCache();
          cluster.restart(SWITCHED, (role, options) -> wanted.apply(role, options, limits));
          deployment = wanted;
          awaitTables();
        });
    warmUp();
  }

  private void awaitTables() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        Pauses.await("table " + table, TABLES_TIMEOUT_MS, () -> admin.isTableAvailable(table));
      }
    }
  }

  /**
   * Reads for some seconds with a fast drive, so that code is compiled and indexes and bloom
   * filters are in the block cache.
   */
  private void warmUp() throws IOException {
    log.say("warming up the RegionServer");
    YcsbReads.Arrival arrival = YcsbReads.Arrival.closed(WARM_UP_THREADS);
    fast(
        () -> {
          try (YcsbReads reads =
              YcsbReads.start(
                  arguments ->
                      cluster
                          .client(YcsbClient.MAIN_CLASS, arguments)
                          .agentClassesOnly()
                          .toProcessBuilder(),
                  YcsbReads.arguments(scale.readTable(), arrival, Optional.empty()),
                  arrival,
                  logs.resolve("warm-up"))) {
            Pauses.sleep(TimeUnit.SECONDS.toMillis(scale.warmUpSeconds()), "stopped");
            reads.requireAlive();
          }
        });
  }

  /** The files in which the DataNode keeps each file of the streams. */
  Map<String, Set<Path>> streamBlocks() {
    return streamBlocks;
  }

  /** The directory of a table in HDFS. */
  static String tableDirectory(YcsbTable table) {
    return "/hbase/data/default/" + table.name();
  }

  /**
   * Drops the tables, the text and the streams from the page cache, and trims the virtual disk so
   * that deleted files take none of its memory.
   */
  void freeMemory() throws IOException {
    cluster.evictPageCache();
    if (vhdd.isPresent()) {
      SystemCommand.run("fstrim", disk.directory().toString());
    }
  }

  /** Bytes of blocks that the DataNode has sent to readers, as its own metrics say. */
  long dataNodeBytesRead() throws IOException {
    return cluster
        .jmx(cluster.daemon(Role.DATANODE), "Hadoop:service=DataNode,name=DataNodeActivity*")
        .path(0)
        .path("BytesRead")
        .asLong();
  }

  /** The queue of the disk. */
  RequestQueue queue() {
    return queue;
  }

  @Override
  public void close() throws IOException {
    try {
      cluster.close();
    } finally {
      ShortCircuit.remove();
    }
  }
}
