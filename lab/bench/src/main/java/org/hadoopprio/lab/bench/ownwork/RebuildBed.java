// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.bed.ClientBed;
import org.hadoopprio.lab.bench.bed.Drives;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.RandomReaders;
import org.hadoopprio.lab.workload.StreamFiles;

/**
 * Three DataNodes, each on its own disk, with files that lack a replica and files that are read. A
 * rebuild makes a third replica of each of the former, which is what HDFS does for a replica that
 * was lost.
 */
final class RebuildBed extends ClientBed<OwnWorkSystem> {

  static final int DATA_NODES = 3;

  /** Of each file that is rebuilt, which is one block. */
  static final long FILE_BYTES = 64L << 20;

  /** Of all clients together: some 25 of each disk, less than a third of its time. */
  static final int READS_PER_SECOND = 75;

  /** What HBase reads for a Get with blocks of 56 KiB. */
  static final int READ_BYTES = 56 << 10;

  static final String READ_PRIORITY = "rt:0";

  private static final short REPLICAS = 2;
  private static final String LOST = "/lost";
  private static final String READ = "/read";
  private static final int READ_FILES = 24;
  private static final long READ_FILE_BYTES = 16L << 20;
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int DISK_FACTOR = 2;
  private static final long TIMEOUT_MS = 180_000;
  private static final double MS_PER_SECOND = 1e3;
  private static final double BYTES_PER_MB = 1e6;

  private final DistributedFileSystem fs;
  private final int files;
  private final int seconds;

  private RebuildBed(LocalCluster cluster, OwnWorkDrive drive, int files, int seconds, StepLog log)
      throws IOException {
    super(cluster);
    this.files = files;
    this.seconds = seconds;
    this.fs =
        (DistributedFileSystem) org.apache.hadoop.fs.FileSystem.newInstance(cluster.hadoopConf());
    drive.tune(drives());
    log.say("writing files");
    // The files that are read lie on both sides of the others, so that reads cross the disk.
    drives()
        .fast(
            () -> {
              writeRead(0);
              writeLost();
              writeRead(1);
            });
  }

  /**
   * Starts the cluster and writes the files.
   *
   * @param directory the cluster's
   * @param files that lose a replica, a multiple of the number of DataNodes
   * @param seconds how long reads are measured
   */
  static RebuildBed start(Path directory, OwnWorkDrive drive, int files, int seconds, StepLog log)
      throws IOException {
    log.say("starting HDFS");
    long bytes = files * FILE_BYTES + READ_FILES * READ_FILE_BYTES;
    return BedClusters.start(
        BedClusters.hdfs(directory, drive.kind(), DATA_NODES, DISK_FACTOR * bytes)
            .littlePageCache()
            .replication(REPLICAS)
            .conf("dfs.namenode.redundancy.considerLoad", "false")
            // The disks limit the rebuild, and not how seldom and for how few blocks the NameNode
            // asks: it looks each second, and has each DataNode send four blocks at a time.
            .conf("dfs.heartbeat.interval", "1")
            .conf("dfs.namenode.redundancy.interval.seconds", "1")
            .conf("dfs.namenode.replication.work.multiplier.per.iteration", "10")
            .conf("dfs.namenode.replication.max-streams", "4")
            .conf("dfs.namenode.replication.max-streams-hard-limit", "4"),
        cluster -> new RebuildBed(cluster, drive, files, seconds, log));
  }

  private void writeRead(int half) throws IOException {
    StreamFiles.write(
        fs,
        new org.apache.hadoop.fs.Path(READ, Integer.toString(half)),
        0,
        READ_FILES / 2,
        READ_FILE_BYTES,
        bytes -> {});
  }

  /** Each DataNode lacks a replica of as many files as the others, in each measurement. */
  private void writeLost() throws IOException {
    List<InetSocketAddress> dataNodes = new ArrayList<>();
    for (Daemon dataNode : cluster().daemons(Role.DATANODE)) {
      dataNodes.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), dataNode.port("data")));
    }
    byte[] chunk = new byte[CHUNK_BYTES];
    new Random(1).nextBytes(chunk);
    for (int i = 0; i < files; i++) {
      InetSocketAddress[] two = {
        dataNodes.get(i % DATA_NODES), dataNodes.get((i + 1) % DATA_NODES)
      };
      try (OutputStream out =
          fs.create(
              file(i),
              FsPermission.getFileDefault(),
              true,
              CHUNK_BYTES,
              REPLICAS,
              FILE_BYTES,
              null,
              two)) {
        for (long written = 0; written < FILE_BYTES; written += CHUNK_BYTES) {
          out.write(chunk);
        }
      }
    }
  }

  private static org.apache.hadoop.fs.Path file(int number) {
    return StreamFiles.file(new org.apache.hadoop.fs.Path(LOST), number);
  }

  /** Has the replicas lost again. */
  private void lose() throws IOException {
    fs.delete(new org.apache.hadoop.fs.Path(LOST), true);
    Pauses.await("the end of deleted replicas", TIMEOUT_MS, this::haveDeleted);
    for (Disk disk : cluster().disks()) {
      // Deleted files take none of the virtual disk's memory.
      SystemCommand.run("fstrim", disk.directory().toString());
    }
    writeLost();
  }

  private boolean haveDeleted() throws IOException {
    for (Disk disk : cluster().disks()) {
      String larger = "+" + (READ_FILE_BYTES >> 10) + "k";
      if (!SystemCommand.run(
              "find",
              disk.directory().toString(),
              "-ignore_readdir_race",
              "-name",
              "blk_*",
              "-size",
              larger)
          .isEmpty()) {
        return false;
      }
    }
    return true;
  }

  @Override
  protected ObjectNode measured(String condition, OwnWorkSystem system) throws IOException {
    if (condition.equals(RebuildExperiment.READS)) {
      cluster().evictPageCache();
      return measured(reads(system), seconds, Optional.empty());
    }
    drives().fast(this::lose);
    return condition.equals(RebuildExperiment.REBUILD)
        ? rebuildAlone()
        : measured(reads(system), seconds, Optional.of(this::rebuild));
  }

  /** From its begin to its end. */
  private ObjectNode rebuildAlone() throws IOException {
    ObjectNode result = new ObjectMapper().createObjectNode();
    drives().resetStats();
    long now = System.currentTimeMillis();
    result.set("own", rebuild(now, now));
    drives().addTo(result);
    Drives.allowLatenessToWork(result, result.at("/own/seconds").asDouble());
    return result;
  }

  private ClientCommand reads(OwnWorkSystem system) throws IOException {
    ClientCommand command =
        cluster()
            .client(
                RandomReaders.class,
                "--directory=" + READ,
                "--length=" + READ_BYTES,
                "--rate=" + READS_PER_SECOND,
                "--threads=" + CLIENT_THREADS,
                "--seed=" + measurements(),
                "--seconds=" + seconds);
    return system.hasPriorities()
        ? command.env(CurrentPriority.ENVIRONMENT_VARIABLE, READ_PRIORITY)
        : command;
  }

  /** Copies all lost replicas. */
  private ObjectNode rebuild(long from, long to) throws IOException {
    long begin = System.currentTimeMillis();
    for (int i = 0; i < files; i++) {
      fs.setReplication(file(i), (short) (REPLICAS + 1));
    }
    Pauses.await("the last of all replicas", TIMEOUT_MS, this::haveAllReplicas);
    sync();
    long end = System.currentTimeMillis();
    double seconds = (end - begin) / MS_PER_SECOND;
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("seconds", seconds);
    json.put("mb_per_s", files * FILE_BYTES / BYTES_PER_MB / seconds);
    if (to > from) {
      json.put("covered", Math.min(1, (double) (end - from) / (to - from)));
    }
    return json;
  }

  private boolean haveAllReplicas() throws IOException {
    for (int i = 0; i < files; i++) {
      if (fs.getFileBlockLocations(file(i), 0, 1)[0].getNames().length <= REPLICAS) {
        return false;
      }
    }
    return true;
  }

  /** What the DataNodes have written is on the disks afterwards, which write at the same time. */
  private void sync() throws IOException {
    String each =
        cluster().disks().stream()
            .map(disk -> "sync -f '" + disk.directory() + "' & ")
            .collect(Collectors.joining());
    SystemCommand.run("sh", "-c", each + "wait");
  }

  @Override
  public void close() throws IOException {
    try {
      fs.close();
    } finally {
      super.close();
    }
  }
}
