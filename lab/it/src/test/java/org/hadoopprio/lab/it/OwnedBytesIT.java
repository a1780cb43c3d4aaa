// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.disk.PageEviction;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.lab.trace.BlockTrace;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What DataNodes write, and what they do of their own accord, has a priority at their disks: that
 * of the client, on all DataNodes of its pipeline, or that of the DataNode's role.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OwnedBytesIT {

  private static final int DATA_NODES = 4;
  private static final int REPLICAS = 3;
  private static final int SMALL_BYTES = 300_000;

  /** At most until the disks have got what a DataNode has them write. */
  private static final long UNDER_WAY_NANOS = 30_000_000_000L;

  private static final int FILE_MIB = 64;
  private static final long FILE_BYTES = (long) FILE_MIB * MIB;

  /** The rest are checksums, and metadata that the file system writes for all. */
  private static final double NEARLY_ALL = 0.95;

  private static final Path FILE = new Path("/written");

  /** Each role has a priority of its own, so that a block trace tells them apart. */
  private static final Map<IoRole, IoPriority> ROLES =
      Map.of(
          IoRole.RE_REPLICATION, IoPriority.bestEffort(1),
          IoRole.BALANCER, IoPriority.bestEffort(2),
          IoRole.EC_RECONSTRUCTION, IoPriority.bestEffort(7),
          IoRole.BLOCK_SCANNER, IoPriority.parse("idle"),
          IoRole.CACHED_BLOCK_LOAD, IoPriority.bestEffort(5));

  /** As much as a process may lock on most systems without further rights. */
  private static final int CACHED_BYTES = 4 * MIB;

  private static final Pattern LOCKED = Pattern.compile("Max locked memory +\\S+ +(\\d+) .*");

  private static final String STRIPED_POLICY = "XOR-2-1-1024k";
  private static final int STRIPED_DATA_BLOCKS = 2;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Clusters.requireRoot("a block trace");
    cluster =
        Clusters.of(OwnedBytesIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(DATA_NODES)
            .replication(REPLICAS)
            .metricsPeriodMillis(RoleMetrics.PERIOD_MILLIS)
            // Or a DataNode with one thread more than the others may count as too busy to be the
            // new one of a pipeline.
            .conf("dfs.namenode.redundancy.considerLoad", "false")
            // By default a block waits for up to 30 s until the NameNode has it loaded.
            .conf("dfs.namenode.path.based.cache.refresh.interval.ms", "1000")
            .configure(Role.DATANODE, o -> o.conf(DataNodeKeys.ROLES.name(), rolesText()))
            .configure(
                Role.DATANODE, o -> o.conf("dfs.datanode.max.locked.memory", "" + cachedBytes()))
            .start();
    Clusters.requireBlockTrace(cluster);
  }

  /** What DataNodes may lock in memory; one that may not lock what it is told to does not start. */
  private static long cachedBytes() {
    try (Stream<String> limits = Files.lines(java.nio.file.Path.of("/proc/self/limits"))) {
      boolean isLess =
          limits
              .map(LOCKED::matcher)
              .anyMatch(limit -> limit.matches() && Long.parseLong(limit.group(1)) < CACHED_BYTES);
      return isLess ? 0 : CACHED_BYTES;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String rolesText() {
    return ROLES.entrySet().stream()
        .map(role -> role.getKey() + "=" + role.getValue())
        .collect(Collectors.joining(","));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
  }

  private static FileSystem fileSystem(String... keysAndValues) throws IOException {
    return Clusters.fileSystem(cluster, keysAndValues);
  }

  private static byte[] data() {
    byte[] data = new byte[FILE_MIB * MIB];
    new Random(FILE_MIB).nextBytes(data);
    return data;
  }

  /** Writes a file and waits until it is on the disks. */
  private static void write(FileSystem fs, byte[] data) throws IOException {
    try (FSDataOutputStream out = fs.create(FILE, true)) {
      out.write(data);
      out.hsync();
    }
  }

  private static void assertUnharmed(FileSystem fs) throws IOException {
    byte[] read = new byte[FILE_MIB * MIB];
    try (FSDataInputStream in = fs.open(FILE)) {
      in.readFully(read);
    }
    assertArrayEquals(data(), read);
  }

  /** What each DataNode's disk saw meanwhile. */
  private static List<BlockTraceSummary> traced(Clusters.Reads work) throws Exception {
    return traced(work, seen -> true);
  }

  /** The same, until the disks have done what they were to do. */
  private static List<BlockTraceSummary> traced(
      Clusters.Reads work, Predicate<List<BlockTraceSummary>> isDone) throws Exception {
    cluster.evictPageCache();
    List<BlockTrace> traces = new ArrayList<>();
    List<BlockTraceSummary> seen = new ArrayList<>();
    try {
      for (var device : cluster.devices()) {
        traces.add(BlockTrace.start(List.of(device)));
      }
      work.run();
      long end = System.nanoTime() + UNDER_WAY_NANOS;
      while (!isDone.test(soFar(traces)) && System.nanoTime() - end < 0) {
        Thread.sleep(20);
      }
      for (BlockTrace trace : traces) {
        seen.add(trace.stop());
        assertEquals(0, seen.get(seen.size() - 1).lostEvents(), "lost events");
      }
    } finally {
      for (BlockTrace trace : traces) {
        trace.close();
      }
    }
    assertEquals(DATA_NODES, seen.size());
    return seen;
  }

  private static List<BlockTraceSummary> soFar(List<BlockTrace> traces) throws IOException {
    List<BlockTraceSummary> seen = new ArrayList<>();
    for (BlockTrace trace : traces) {
      seen.add(trace.soFar());
    }
    return seen;
  }

  /** The file was read or written at a priority, on so many disks. */
  private static void assertAt(
      long disks, ToLongFunction<BlockTraceSummary> bytes, List<BlockTraceSummary> seen) {
    long found = seen.stream().filter(d -> bytes.applyAsLong(d) >= NEARLY_ALL * FILE_BYTES).count();
    assertEquals(disks, found, seen::toString);
  }

  private static void assertWrittenAt(IoPriority priority, List<BlockTraceSummary> seen) {
    assertAt(REPLICAS, disk -> disk.writes(priority).bytes(), seen);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rt:3", "be:6", "idle"})
  void aWriteHasItsPriorityOnEveryDiskOfThePipeline(String text) throws Exception {
    IoPriority priority = IoPriority.parse(text);
    byte[] data = data();
    try (FileSystem fs = fileSystem()) {
      List<BlockTraceSummary> seen =
          traced(
              () -> {
                try (PriorityScope scope = PriorityScope.open(priority)) {
                  write(fs, data);
                }
              });
      assertWrittenAt(priority, seen);
      assertUnharmed(fs);
    }
  }

  /** It is shorter than what a DataNode has written behind the thread that receives it. */
  @Test
  void aSmallFileThatNobodySyncsHasItsPriorityToo() throws Exception {
    IoPriority priority = IoPriority.bestEffort(6);
    byte[] data = Arrays.copyOf(data(), SMALL_BYTES);
    try (FileSystem fs = fileSystem()) {
      List<BlockTraceSummary> seen =
          traced(
              () -> {
                try (PriorityScope scope = PriorityScope.open(priority);
                    FSDataOutputStream out = fs.create(FILE, true)) {
                  out.write(data);
                }
              },
              disks -> smallFiles(priority, disks) >= REPLICAS);
      assertEquals(REPLICAS, smallFiles(priority, seen), seen::toString);
    }
  }

  /** On how many disks the small file was written at a priority. */
  private static long smallFiles(IoPriority priority, List<BlockTraceSummary> disks) {
    return disks.stream()
        .filter(disk -> disk.writes(priority).bytes() >= NEARLY_ALL * SMALL_BYTES)
        .count();
  }

  @Test
  void theDefaultOfAClientIsThatOfItsWritesToo() throws Exception {
    byte[] data = data();
    try (FileSystem fs = fileSystem("dfs.client.io.priority", "be:5")) {
      assertWrittenAt(IoPriority.bestEffort(5), traced(() -> write(fs, data)));
    }
  }

  @Test
  void aWriteWithoutAPriorityIsAtNone() throws Exception {
    byte[] data = data();
    try (FileSystem fs = fileSystem()) {
      List<BlockTraceSummary> seen = traced(() -> write(fs, data));
      assertWrittenAt(IoPriority.NONE, seen);
      for (BlockTraceSummary disk : seen) {
        // The journal of ext4 has a priority of its own.
        long others = disk.allWrites().bytes() - disk.writes(IoPriority.NONE).bytes();
        assertTrue(others <= (1 - NEARLY_ALL) * FILE_BYTES, disk::toString);
      }
    }
  }

  /** The others of the pipeline are asked for what the client has asked for. */
  @Test
  void eachDataNodeGrantsWhatItAllows() throws Exception {
    Daemon strict = cluster.daemons(Role.DATANODE).get(1);
    reconfigureHighest(strict, "be:2");
    byte[] data = data();
    // All four, so that the strict one is among them.
    try (FileSystem fs = fileSystem("dfs.replication", Integer.toString(DATA_NODES))) {
      IoPriority asked = IoPriority.realtime(1);
      List<BlockTraceSummary> seen =
          traced(
              () -> {
                try (PriorityScope scope = PriorityScope.open(asked)) {
                  write(fs, data);
                }
              });
      assertAt(DATA_NODES - 1, disk -> disk.writes(asked).bytes(), seen);
      assertAt(1, disk -> disk.writes(IoPriority.bestEffort(2)).bytes(), seen);
      fs.delete(FILE, false);
    } finally {
      reconfigureHighest(strict, "rt:0");
    }
  }

  private static void reconfigureHighest(Daemon dataNode, String highest) throws IOException {
    cluster.reconfigure(dataNode, o -> o.conf(DataNodeKeys.HIGHEST.name(), highest));
  }

  @Test
  void aReplicaThatIsMissingIsCopiedAtThePriorityOfItsRole() throws Exception {
    try (FileSystem fs = fileSystem("dfs.replication", "1", "dfs.blocksize", "" + FILE_BYTES)) {
      write(fs, data());
      List<BlockTraceSummary> seen =
          traced(
              () ->
                  assertCounted(
                      2,
                      "re-replication",
                      "be",
                      () -> {
                        fs.setReplication(FILE, (short) 2);
                        awaitReplicas(fs, 2);
                      }));
      assertAt(1, disk -> disk.reads(ROLES.get(IoRole.RE_REPLICATION)).bytes(), seen);
      assertAt(1, disk -> disk.writes(ROLES.get(IoRole.RE_REPLICATION)).bytes(), seen);
      assertUnharmed(fs);
    }
  }

  /** The client has one of the others send what there is to a new DataNode, and goes on. */
  @Test
  @Order(Integer.MAX_VALUE)
  void aPipelineThatLosesADataNodeKeepsThePriority() throws Exception {
    IoPriority priority = IoPriority.realtime(3);
    byte[] data = data();
    try (DistributedFileSystem fs =
        (DistributedFileSystem)
            fileSystem(
                "dfs.blocksize",
                "" + FILE_BYTES,
                "dfs.client.block.write.replace-datanode-on-failure.policy",
                "ALWAYS")) {
      fs.delete(FILE, false);
      List<BlockTraceSummary> seen =
          traced(
              () -> {
                try (PriorityScope scope = PriorityScope.open(priority);
                    FSDataOutputStream out = fs.create(FILE, true)) {
                  out.write(data, 0, data.length / 2);
                  out.hsync();
                  evictWhatIsBeingWritten();
                  DFSOutputStream stream = (DFSOutputStream) out.getWrappedStream();
                  cluster.kill(dataNode(stream.getPipeline()[0].getXferAddr()));
                  out.write(data, data.length / 2, data.length - data.length / 2);
                  out.hsync();
                }
              });
      assertWrittenAt(priority, seen);
      long senders =
          seen.stream()
              .filter(disk -> disk.reads(priority).bytes() >= NEARLY_ALL * FILE_BYTES / 2)
              .count();
      assertEquals(1, senders, seen::toString);
      assertUnharmed(fs);
    }
  }

  /** So that the DataNode that sends it to the new one reads it from the disk. */
  private static void evictWhatIsBeingWritten() throws IOException {
    for (Disk disk : cluster.disks()) {
      try (Stream<java.nio.file.Path> all = Files.walk(disk.directory())) {
        PageEviction.evict(
            all.filter(path -> path.toString().contains("/rbw/blk_")).collect(Collectors.toList()));
      }
    }
  }

  private static Daemon dataNode(String name) {
    return cluster.daemons(Role.DATANODE).stream()
        .filter(d -> name.endsWith(":" + d.port("data")))
        .findFirst()
        .orElseThrow();
  }

  private static void awaitReplicas(FileSystem fs, int replicas) {
    await(replicas + " replicas")
        .atMost(PATIENCE)
        .until(() -> fs.getFileBlockLocations(FILE, 0, 1)[0].getNames().length >= replicas);
  }

  /** As the balancer does: it sends the operation that has a DataNode take over a replica. */
  @Test
  void aReplicaIsMovedAtThePriorityOfTheBalancersRole() throws Exception {
    try (DistributedFileSystem fs =
        (DistributedFileSystem)
            fileSystem("dfs.replication", "1", "dfs.blocksize", "" + FILE_BYTES)) {
      write(fs, data());
      List<BlockTraceSummary> seen =
          traced(() -> assertCounted(2, "balancer", "be", () -> moveAnywhere(fs)));
      assertAt(1, disk -> disk.reads(ROLES.get(IoRole.BALANCER)).bytes(), seen);
      assertAt(1, disk -> disk.writes(ROLES.get(IoRole.BALANCER)).bytes(), seen);
    }
  }

  /** Moves the file's only replica to another DataNode. */
  private static void moveAnywhere(DistributedFileSystem fs) throws IOException {
    LocatedBlock block =
        fs.getClient().getLocatedBlocks(FILE.toUri().getPath(), 0).getLocatedBlocks().get(0);
    DatanodeInfo source = block.getLocations()[0];
    DatanodeInfo target =
        Arrays.stream(fs.getDataNodeStats())
            .filter(node -> !node.equals(source))
            .findFirst()
            .orElseThrow();
    move(block, source, target);
  }

  private static void move(LocatedBlock block, DatanodeInfo source, DatanodeInfo target)
      throws IOException {
    try (Socket socket = new Socket(target.getIpAddr(), target.getXferPort());
        DataOutputStream out =
            new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
        DataInputStream in = new DataInputStream(socket.getInputStream())) {
      new Sender(out)
          .replaceBlock(
              block.getBlock(),
              StorageType.DISK,
              new Token<>(),
              source.getDatanodeUuid(),
              source,
              null);
      out.flush();
      Status status;
      do {
        status = BlockOpResponseProto.parseFrom(PBHelperClient.vintPrefixed(in)).getStatus();
      } while (status == Status.IN_PROGRESS);
      assertEquals(Status.SUCCESS, status);
    }
  }

  /** Goes on scanning, so only that follows which looks at other priorities. */
  @Test
  @Order(Integer.MAX_VALUE - 1)
  void theBlockScannerReadsAtThePriorityOfItsRole() throws Exception {
    try (FileSystem fs = fileSystem("dfs.replication", "1", "dfs.blocksize", "" + FILE_BYTES)) {
      write(fs, data());
      Daemon scanning = dataNode(fs.getFileBlockLocations(FILE, 0, 1)[0].getNames()[0]);
      List<BlockTraceSummary> seen =
          traced(
              () -> {
                cluster.restart(
                    scanning,
                    o ->
                        o.conf("dfs.datanode.scan.period.hours", "1")
                            .conf("dfs.block.scanner.volume.bytes.per.second", "" + (1L << 30)));
                awaitWork(scanning, IoRole.BLOCK_SCANNER);
              });
      assertAt(1, disk -> disk.reads(ROLES.get(IoRole.BLOCK_SCANNER)).bytes(), seen);
    }
  }

  /** One DataNode asks two others for their blocks, and keeps the third, which it computes. */
  @Test
  void aLostBlockIsReconstructedAtThePriorityOfItsRole() throws Exception {
    Path directory = new Path("/striped");
    Path file = new Path(directory, "file");
    byte[] data = data();
    try (DistributedFileSystem fs =
        (DistributedFileSystem) fileSystem("dfs.blocksize", "" + FILE_BYTES)) {
      fs.enableErasureCodingPolicy(STRIPED_POLICY);
      fs.mkdirs(directory);
      fs.setErasureCodingPolicy(directory, STRIPED_POLICY);
      try (FSDataOutputStream out = fs.create(file)) {
        for (int i = 0; i < STRIPED_DATA_BLOCKS; i++) {
          out.write(data);
        }
      }
      // The NameNode ends a file before all DataNodes have told it of their parts.
      await("the NameNode knows all parts")
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  Arrays.stream(parts(fs, file)).filter(Objects::nonNull).count()
                      == STRIPED_DATA_BLOCKS + 1);
      LocatedBlock lost = parts(fs, file)[0];
      List<BlockTraceSummary> seen =
          traced(
              () -> {
                fs.getClient().reportBadBlocks(new LocatedBlock[] {lost});
                awaitPart(fs, file, lost);
              });
      IoPriority priority = ROLES.get(IoRole.EC_RECONSTRUCTION);
      assertAt(STRIPED_DATA_BLOCKS, disk -> disk.reads(priority).bytes(), seen);
      assertAt(1, disk -> disk.writes(priority).bytes(), seen);
      byte[] read = new byte[data.length];
      try (FSDataInputStream in = fs.open(file)) {
        for (int i = 0; i < STRIPED_DATA_BLOCKS; i++) {
          in.readFully(read);
          assertArrayEquals(data, read);
        }
      }
      fs.delete(directory, true);
    }
  }

  /** The blocks of a file's one block group, each of which is on one DataNode. */
  private static LocatedBlock[] parts(DistributedFileSystem fs, Path file) throws IOException {
    LocatedStripedBlock group =
        (LocatedStripedBlock)
            fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0).getLocatedBlocks().get(0);
    return StripedBlockUtil.parseStripedBlockGroup(
        group, MIB, STRIPED_DATA_BLOCKS, group.getLocations().length - STRIPED_DATA_BLOCKS);
  }

  /** Waits until a block is on another DataNode than before. */
  private static void awaitPart(DistributedFileSystem fs, Path file, LocatedBlock before) {
    Predicate<LocatedBlock> isElsewhere =
        part ->
            part != null
                && part.getBlock().getBlockId() == before.getBlock().getBlockId()
                && !part.getLocations()[0].equals(before.getLocations()[0]);
    await("the block is reconstructed")
        .atMost(PATIENCE)
        .until(() -> Arrays.stream(parts(fs, file)).anyMatch(isElsewhere));
  }

  @Test
  void aBlockIsLoadedIntoMemoryAtThePriorityOfItsRole() throws Exception {
    Need.LOCKED_MEMORY.require(cachedBytes() > 0, CACHED_BYTES + " bytes (ulimit -l)");
    try (DistributedFileSystem fs = (DistributedFileSystem) fileSystem("dfs.replication", "1")) {
      Path file = new Path("/cached");
      try (FSDataOutputStream out = fs.create(file)) {
        out.write(data(), 0, CACHED_BYTES);
      }
      Daemon loading = dataNode(fs.getFileBlockLocations(file, 0, 1)[0].getNames()[0]);
      fs.addCachePool(new CachePoolInfo("pool"));
      List<BlockTraceSummary> seen =
          traced(
              () -> {
                fs.addCacheDirective(
                    new CacheDirectiveInfo.Builder().setPath(file).setPool("pool").build());
                awaitCached(loading);
              });
      IoPriority priority = ROLES.get(IoRole.CACHED_BLOCK_LOAD);
      long read = seen.stream().mapToLong(disk -> disk.reads(priority).bytes()).sum();
      assertTrue(read >= NEARLY_ALL * CACHED_BYTES, seen::toString);
      fs.removeCachePool("pool");
    }
  }

  private static void awaitCached(Daemon dataNode) {
    String query = "Hadoop:service=DataNode,name=FSDatasetState*";
    await("the block is in memory")
        .atMost(PATIENCE)
        .until(
            () -> cluster.jmx(dataNode, query).path(0).path("CacheUsed").asLong(),
            bytes -> bytes >= CACHED_BYTES);
  }

  /** Waits until a DataNode has done as much for a role as the file has bytes. */
  private static void awaitWork(Daemon dataNode, IoRole role) {
    String ioClass = ROLES.get(role).ioClass().shortName();
    await(role + " has read the file")
        .atMost(PATIENCE)
        .until(
            () -> RoleMetrics.of(cluster, dataNode).bytes(role.toString(), ioClass),
            bytes -> bytes >= FILE_BYTES);
  }

  /** So many DataNodes count the whole file for a role in a class, each once. */
  private static void assertCounted(int dataNodes, String role, String ioClass, Clusters.Reads work)
      throws Exception {
    List<RoleMetrics> before = metrics();
    work.run();
    assertCounted(dataNodes, role, ioClass, before, metrics());
  }

  private static void assertCounted(
      int dataNodes,
      String role,
      String ioClass,
      List<RoleMetrics> before,
      List<RoleMetrics> after) {
    int found = 0;
    for (int i = 0; i < DATA_NODES; i++) {
      long bytes = after.get(i).since(before.get(i)).bytes(role, ioClass);
      assertTrue(bytes == 0 || bytes == FILE_BYTES, role + ": " + bytes);
      found += bytes == 0 ? 0 : 1;
    }
    assertEquals(dataNodes, found, role + ": " + after);
  }

  private static List<RoleMetrics> metrics() throws IOException {
    RoleMetrics.settle(RoleMetrics.PERIOD_MILLIS);
    List<RoleMetrics> all = new ArrayList<>();
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      all.add(RoleMetrics.of(cluster, dataNode));
    }
    return all;
  }

  @Test
  void aClientsReadsAndWritesCountInTheirRoleWithAPriorityOrWithout() throws Exception {
    byte[] data = data();
    try (FileSystem fs = fileSystem("dfs.blocksize", "" + FILE_BYTES)) {
      List<RoleMetrics> before = metrics();
      write(fs, data);
      assertUnharmed(fs);
      try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
        write(fs, data);
        assertUnharmed(fs);
      }
      List<RoleMetrics> after = metrics();
      for (String ioClass : List.of("none", "idle")) {
        assertCounted(REPLICAS, "client-write", ioClass, before, after);
        assertCounted(1, "client-read", ioClass, before, after);
      }
    }
  }
}
