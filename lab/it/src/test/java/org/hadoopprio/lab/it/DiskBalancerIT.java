// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.tools.DiskBalancerCLI;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.trace.BlockTrace;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A replica that a DataNode copies from one of its disks to another, past the code that sends and
 * receives blocks, is read and written at the priority of its role, beside a stream and alone.
 */
class DiskBalancerIT {

  private static final IoPriority BALANCED = IoPriority.bestEffort(2);
  private static final IoPriority MOVED = IoPriority.bestEffort(6);

  private static final int FILE_MIB = 128;
  private static final int BLOCK_BYTES = 8 * MIB;
  private static final Path FILE = new Path("/file");
  private static final Path OTHER = new Path("/other");

  /** The rest are checksums, and metadata that the file system writes for all. */
  private static final double NEARLY_ALL = 0.95;

  private static final long DISK_BYTES = 4L << 30;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static LocalCluster cluster;
  private static DistributedFileSystem fs;

  /** Full at first. */
  private static Disk first;

  /** Empty at first. */
  private static Disk second;

  @BeforeAll
  static void start() throws Exception {
    Clusters.requireRoot("a block trace");
    cluster =
        Clusters.of(DiskBalancerIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .diskBytes(DISK_BYTES)
            .metricsPeriodMillis(RoleMetrics.PERIOD_MILLIS)
            .conf("dfs.blocksize", Integer.toString(BLOCK_BYTES))
            .configure(
                Role.DATANODE,
                o ->
                    o.conf(
                            DataNodeKeys.ROLES.name(),
                            "disk-balancer=" + BALANCED + ", balancer=" + MOVED)
                        // Whether or not this machine's disks rotate.
                        .conf(SchedulerKeys.STREAMS.name(), "1"))
            .start();
    Clusters.requireBlockTrace(cluster);
    fs = (DistributedFileSystem) Clusters.fileSystem(cluster);
    SampleFile.write(fs, FILE, FILE_MIB);
    SampleFile.write(fs, OTHER, FILE_MIB);
    first = cluster.disks().get(0);
    second =
        DiskKind.best()
            .create(Clusters.directory(DiskBalancerIT.class).resolve("more"), "second", DISK_BYTES);
    cluster.restart(dataNode(), o -> o.conf("dfs.datanode.data.dir", directories()));
    await("the DataNode has two disks")
        .atMost(PATIENCE)
        .until(
            () ->
                fs.getClient().datanodeReport(DatanodeReportType.LIVE)[0].getCapacity()
                    > DISK_BYTES * 3 / 2);
  }

  @AfterAll
  static void stop() throws IOException {
    if (fs != null) {
      fs.close();
    }
    if (cluster != null) {
      cluster.stop();
    }
    if (second != null) {
      second.close();
    }
  }

  private static Daemon dataNode() {
    return cluster.daemon(Role.DATANODE);
  }

  private static String directories() {
    return first.directory().resolve("dfs").toUri()
        + ","
        + second.directory().resolve("dfs").toUri()
        + ",[ARCHIVE]"
        + second.directory().resolve("archive").toUri();
  }

  /** How much a role has moved: half of what it has read and written. */
  private static long moved(String role) throws IOException {
    return RoleMetrics.of(cluster, dataNode()).bytes(role, "be") / 2;
  }

  private interface Moves {
    /** Returns when so many bytes have been moved. */
    long run() throws Exception;
  }

  private static void assertMovedAt(IoPriority priority, Moves moves) throws Exception {
    first.evictPageCache();
    second.evictPageCache();
    try (BlockTrace from = BlockTrace.start(List.of(first.device().orElseThrow()));
        BlockTrace to = BlockTrace.start(List.of(second.device().orElseThrow()))) {
      long bytes = moves.run();
      // What has been written must have been sent to the disk at the priority by now, or it waits
      // for the kernel's own writing.
      BlockTraceSummary read = from.stop();
      BlockTraceSummary written = to.stop();
      assertTrue(bytes >= BLOCK_BYTES, "moved " + bytes);
      assertTrue(
          read.reads(priority).bytes() >= NEARLY_ALL * bytes, bytes + " moved, read " + read);
      assertTrue(
          written.writes(priority).bytes() >= NEARLY_ALL * bytes,
          bytes + " moved, written " + written);
      assertTrue(
          written.writes(priority).bytes() >= NEARLY_ALL * written.allWrites().bytes(),
          "written at another priority: " + written);
    }
  }

  @Test
  void theDiskBalancerReadsAndWritesAtThePriorityOfItsRole() throws Exception {
    assertMovedAt(
        BALANCED,
        () -> {
          long before = moved("disk-balancer");
          execute("-plan", name(), "-thresholdPercentage", "1", "-bandwidth", "1000");
          execute("-execute", planFile());
          await("the plan is done")
              .atMost(PATIENCE)
              .until(() -> Files.exists(second.directory().resolve("dfs/current")) && isDone());
          RoleMetrics.settle(RoleMetrics.PERIOD_MILLIS);
          return moved("disk-balancer") - before;
        });
    SampleFile.readAndCompare(fs, FILE, FILE_MIB);
    SampleFile.readAndCompare(fs, OTHER, FILE_MIB);
  }

  private static String name() throws IOException {
    return fs.getClient().datanodeReport(DatanodeReportType.LIVE)[0].getDatanodeUuid();
  }

  private static void execute(String... arguments) throws Exception {
    Configuration conf = cluster.hadoopConf();
    assertEquals(0, new DiskBalancerCLI(conf).run(arguments));
  }

  /** The plan for the node, in the directory of the one run of {@code -plan}. */
  private static String planFile() throws IOException {
    Path day = fs.listStatus(new Path("/system/diskbalancer"))[0].getPath();
    for (FileStatus file : fs.listStatus(day)) {
      if (file.getPath().getName().endsWith(".plan.json")) {
        return file.getPath().toString();
      }
    }
    throw new IOException("no plan in " + day);
  }

  private static boolean isDone() throws IOException {
    return cluster
        .jmx(dataNode(), "Hadoop:service=DataNode,name=DataNodeInfo")
        .path(0)
        .path("DiskBalancerStatus")
        .asText()
        .contains("PLAN_DONE");
  }

  /** As the mover does: it asks the DataNode that has the replica to take it to another storage. */
  @Test
  void aReplicaThatChangesItsStorageIsMovedAtThePriorityOfTheBalancersRole() throws Exception {
    LocatedBlock block =
        fs.getClient().getLocatedBlocks(FILE.toUri().getPath(), 0).getLocatedBlocks().stream()
            .filter(DiskBalancerIT::isOnFirst)
            .findFirst()
            .orElseThrow();
    Thread stream = new Thread(DiskBalancerIT::readWhatIsOnTheSameDisk);
    assertMovedAt(
        MOVED,
        () -> {
          long before = moved("balancer");
          stream.start();
          archive(block);
          RoleMetrics.settle(RoleMetrics.PERIOD_MILLIS);
          return moved("balancer") - before;
        });
    stream.join();
  }

  private static void readWhatIsOnTheSameDisk() {
    byte[] buffer = new byte[MIB];
    try (FSDataInputStream in = fs.open(OTHER)) {
      while (in.read(buffer) >= 0) {
        // Its bytes are compared elsewhere.
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOnFirst(LocatedBlock block) {
    try (Stream<java.nio.file.Path> files = Files.walk(first.directory())) {
      return files.anyMatch(
          f -> f.getFileName().toString().equals(block.getBlock().getBlockName()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void archive(LocatedBlock block) throws IOException {
    DatanodeInfo node = block.getLocations()[0];
    try (Socket socket = new Socket(node.getIpAddr(), node.getXferPort());
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        DataInputStream in = new DataInputStream(socket.getInputStream())) {
      new Sender(out)
          .replaceBlock(
              block.getBlock(),
              StorageType.ARCHIVE,
              new Token<>(),
              node.getDatanodeUuid(),
              node,
              null);
      out.flush();
      Status status;
      do {
        status = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in)).getStatus();
      } while (status == Status.IN_PROGRESS);
      assertEquals(Status.SUCCESS, status);
    }
  }
}
