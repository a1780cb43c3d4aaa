// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.hadoopprio.lab.it.Clusters.assertNearlyAll;
import static org.hadoopprio.lab.it.Clusters.assertOnly;
import static org.hadoopprio.lab.it.Clusters.traced;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.NativeCodeLoader;
import org.apache.hadoop.util.StringUtils;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.web.WebRequests;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Directories;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of read of an HDFS client takes its priority to the block layer under real DataNodes.
 */
class HdfsReadIT {

  private static final IoPriority RT3 = IoPriority.realtime(3);
  private static final Path BIG = new Path("/big");
  private static final int BIG_MIB = 64;
  private static final long BIG_BYTES = (long) BIG_MIB * MIB;
  private static final Path TWICE = new Path("/twice");
  private static final Path LOST = new Path("/lost");
  private static final int SMALL = 64 * 1024;

  private static final IoPriority BE7 = IoPriority.bestEffort(7);
  private static final String EC_POLICY = "XOR-2-1-1024k";
  private static final Path STRIPED = new Path("/striped/file");
  private static final String USER = System.getProperty("user.name");

  /** No user of this machine: Hadoop's group mapping logs that it cannot tell its groups. */
  private static final String STRANGER = "hprio-stranger";

  private static java.nio.file.Path socketDirectory;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Clusters.requireRoot("a block trace");
    // HDFS wants every directory above the socket closed to others; /run is.
    socketDirectory = Files.createTempDirectory(java.nio.file.Path.of("/run"), "hprio-it-");
    cluster =
        Clusters.of(HdfsReadIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(3)
            .conf("dfs.block.access.token.enable", "true")
            // Nothing is to be reconstructed here, and one that a DataNode reports late would be,
            // even after all are known.
            .conf("dfs.namenode.redundancy.interval.seconds", "3600")
            // A DataNode that is taken for busy would get no cell of a stripe, which is not mended.
            .conf("dfs.namenode.redundancy.considerLoad", "false")
            .configure(
                Role.DATANODE,
                o ->
                    o.conf("dfs.client.read.shortcircuit", "true")
                        .conf("dfs.block.local-path-access.user", USER)
                        .conf("dfs.domain.socket.path", socketDirectory + "/_PORT"))
            .start();
    Clusters.requireBlockTrace(cluster);
    try (FileSystem fs = fileSystem()) {
      SampleFile.write(fs, BIG, BIG_MIB);
      SampleFile.write(fs, LOST, 1);
    }
    try (FileSystem fs = fileSystem("dfs.replication", "2")) {
      SampleFile.write(fs, TWICE, BIG_MIB);
    }
    try (DistributedFileSystem fs = (DistributedFileSystem) fileSystem()) {
      fs.enableErasureCodingPolicy(EC_POLICY);
      fs.mkdirs(STRIPED.getParent());
      fs.setErasureCodingPolicy(STRIPED.getParent(), EC_POLICY);
      SampleFile.write(fs, STRIPED, BIG_MIB);
    }
    Clusters.awaitRedundancy(cluster);
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
    if (socketDirectory != null) {
      Directories.delete(socketDirectory);
    }
  }

  private static FileSystem fileSystem(String... keysAndValues) throws IOException {
    return Clusters.fileSystem(cluster, keysAndValues);
  }

  private static void readAt(FileSystem fs, IoPriority priority) throws IOException {
    readAt(fs, BIG, priority);
  }

  private static void readAt(FileSystem fs, Path file, IoPriority priority) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      byte[] buffer = new byte[SMALL];
      for (int i = 0; i < 32; i++) {
        PriorityReads.readFully(in, i * 2_000_000L, buffer, 0, SMALL, priority);
      }
    }
  }

  private static void streamAt(FileSystem fs, IoPriority priority) throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      SampleFile.readAndCompare(fs, BIG, BIG_MIB);
    }
  }

  @Test
  void streamingKeepsItsPriorityThroughTheReadaheadPool() throws Exception {
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      assertTrue(
          Files.readString(java.nio.file.Path.of("/proc/" + dataNode.pid().getAsLong() + "/maps"))
              .contains("libhadoop"),
          "without libhadoop the readahead pool does nothing and this test shows little");
    }
    try (FileSystem fs = fileSystem()) {
      assertNearlyAll(RT3, BIG_BYTES, traced(cluster, () -> streamAt(fs, RT3)));
      // The pool's threads are the same ones; what they inherited or were given is gone.
      assertOnly(
          IoPriority.NONE, traced(cluster, () -> SampleFile.readAndCompare(fs, BIG, BIG_MIB)));
      assertNearlyAll(
          IoPriority.IDLE, BIG_BYTES, traced(cluster, () -> streamAt(fs, IoPriority.IDLE)));
    }
  }

  @Test
  void positionedReadsTakeTheirPriorityAndLeaveNoneBehind() throws Exception {
    try (FileSystem fs = fileSystem()) {
      assertOnly(RT3, traced(cluster, () -> readAt(fs, RT3)));
      assertOnly(IoPriority.NONE, traced(cluster, () -> readAt(fs, IoPriority.NONE)));
      assertOnly(
          IoPriority.bestEffort(7), traced(cluster, () -> readAt(fs, IoPriority.bestEffort(7))));
    }
  }

  @Test
  void anExceptionLeavesNothingBehind() throws Exception {
    // The client looks for another replica three times, after waits that grow with this.
    try (FileSystem fs = fileSystem("dfs.client.retry.window.base", "100")) {
      try (FSDataInputStream in = fs.open(LOST)) {
        deleteReplica(in);
        assertThrows(
            IOException.class,
            () -> PriorityReads.readFully(in, 0, new byte[SMALL], 0, SMALL, RT3));
      }
      assertOnly(IoPriority.NONE, traced(cluster, () -> readAt(fs, IoPriority.NONE)));
    }
  }

  private static void deleteReplica(FSDataInputStream in) throws IOException {
    String block = ((HdfsDataInputStream) in).getAllBlocks().get(0).getBlock().getBlockName();
    int deleted = 0;
    for (Disk disk : cluster.disks()) {
      try (Stream<java.nio.file.Path> files = Files.walk(disk.directory())) {
        for (java.nio.file.Path f :
            (Iterable<java.nio.file.Path>)
                files.filter(p -> p.getFileName().toString().startsWith(block))::iterator) {
          Files.delete(f);
          deleted++;
        }
      }
    }
    assertEquals(2, deleted, "the block and its checksums");
  }

  @Test
  void aSequentialReaderThatChangesItsPriorityOpensTheBlockAnew() throws Exception {
    try (FileSystem fs = fileSystem();
        FSDataInputStream in = fs.open(BIG)) {
      byte[] some = new byte[BIG_MIB / 4 * MIB];
      BlockTraceSummary first = traced(cluster, () -> readFully(in, some, IoPriority.IDLE));
      assertTrue(first.reads(IoPriority.IDLE).bytes() >= some.length * 0.9, first.toString());
      byte[] rest = new byte[BIG_MIB * MIB - some.length];
      BlockTraceSummary second = traced(cluster, () -> readFully(in, rest, RT3));
      // The idle read was ahead of this reader by HDFS's readahead (4 MiB), which goes on while the
      // cache is emptied, and by what two socket buffers hold (tcp_rmem: up to 32 MiB), and that is
      // not read again. A reader that kept its old connection would read nothing at all at its new
      // priority.
      assertTrue(second.reads(RT3).bytes() >= rest.length * 0.2, second.toString());
      assertTrue(second.reads(IoPriority.IDLE).bytes() <= rest.length * 0.25, second.toString());
      assertEquals(BIG_BYTES, in.getPos());
    }
  }

  private static void readFully(FSDataInputStream in, byte[] buffer, IoPriority priority)
      throws IOException {
    int done = 0;
    while (done < buffer.length) {
      done += PriorityReads.read(in, buffer, done, buffer.length - done, priority);
    }
  }

  /** A threshold of 0 ms: every read is sent to the second replica too, from the pool. */
  @Test
  void hedgedReadsCarryThePriorityIntoTheirPool() throws Exception {
    try (FileSystem fs =
        fileSystem(
            "dfs.client.hedged.read.threadpool.size",
            "4",
            "dfs.client.hedged.read.threshold.millis",
            "0",
            "dfs.client.io.priority",
            "be:7")) {
      long before = Clusters.dataNodes(cluster, "GrantedRealtime");
      assertOnly(RT3, traced(cluster, () -> readAt(fs, TWICE, RT3)));
      assertTrue(
          Clusters.dataNodes(cluster, "GrantedRealtime") > before + 32, "no read was hedged");
      assertOnly(IoPriority.NONE, traced(cluster, () -> readAt(fs, TWICE, IoPriority.NONE)));
      assertOnly(
          IoPriority.bestEffort(7),
          traced(
              cluster,
              () -> {
                try (FSDataInputStream in = fs.open(TWICE)) {
                  in.readFully(MIB, new byte[SMALL]);
                }
              }));
    }
  }

  private static FileSystem shortCircuit(String... keysAndValues) throws IOException {
    assertTrue(NativeCodeLoader.isNativeCodeLoaded(), "short-circuit reads need libhadoop");
    Stream<String> keys =
        Stream.of(
            "dfs.client.read.shortcircuit",
            "true",
            "dfs.domain.socket.path",
            socketDirectory + "/_PORT",
            // Keep no replica's file open in this process, or its disk cannot be unmounted.
            "dfs.client.context",
            "short-circuit",
            "dfs.client.read.shortcircuit.streams.cache.size",
            "0");
    return fileSystem(Stream.concat(keys, Stream.of(keysAndValues)).toArray(String[]::new));
  }

  @Test
  void shortCircuitReadsAreDoneAtTheCallersPriority() throws Exception {
    try (FileSystem fs = shortCircuit()) {
      // Opens the replica's files, and with them the file system's metadata, before the trace.
      try (FSDataInputStream in = fs.open(BIG)) {
        in.readFully(0, new byte[SMALL]);
        assertEquals(
            SMALL, ((HdfsDataInputStream) in).getReadStatistics().getTotalShortCircuitBytesRead());
      }
      assertOnly(RT3, traced(cluster, () -> readAt(fs, RT3)));
      assertOnly(IoPriority.NONE, traced(cluster, () -> readAt(fs, IoPriority.NONE)));
      assertNearlyAll(
          IoPriority.IDLE, BIG_BYTES, traced(cluster, () -> streamAt(fs, IoPriority.IDLE)));
    }
  }

  /** It reads with the rights of its own process, so it must be a user that the DataNode names. */
  @Test
  void theOldShortCircuitReadsAtTheCallersPriority() throws Exception {
    try (FileSystem fs =
        shortCircuit(
            "dfs.client.use.legacy.blockreader.local", "true", "dfs.client.context", "legacy")) {
      try (FSDataInputStream in = fs.open(BIG)) {
        in.readFully(0, new byte[SMALL]);
        assertEquals(
            SMALL, ((HdfsDataInputStream) in).getReadStatistics().getTotalShortCircuitBytesRead());
      }
      assertOnly(RT3, traced(cluster, () -> readAt(fs, RT3)));
      assertOnly(IoPriority.NONE, traced(cluster, () -> readAt(fs, IoPriority.NONE)));
      assertNearlyAll(
          IoPriority.IDLE, BIG_BYTES, traced(cluster, () -> streamAt(fs, IoPriority.IDLE)));
    }
  }

  private static void streamStripesAt(FileSystem fs, IoPriority priority) throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      SampleFile.readAndCompare(fs, STRIPED, BIG_MIB);
    }
  }

  /** HDFS reads the parts of a stripe on threads of a pool. */
  private static void assertStripesHaveTheirPriority(FileSystem fs) throws Exception {
    assertNearlyAll(RT3, BIG_BYTES, traced(cluster, () -> streamStripesAt(fs, RT3)));
    assertOnly(
        IoPriority.NONE, traced(cluster, () -> SampleFile.readAndCompare(fs, STRIPED, BIG_MIB)));
    assertOnly(RT3, traced(cluster, () -> readAt(fs, STRIPED, RT3)));
    assertOnly(IoPriority.NONE, traced(cluster, () -> readAt(fs, STRIPED, IoPriority.NONE)));
    assertNearlyAll(
        IoPriority.IDLE, BIG_BYTES, traced(cluster, () -> streamStripesAt(fs, IoPriority.IDLE)));
  }

  /** The second client's default must be taken to the pool, too. */
  @Test
  void readsOfAnErasureCodedFileHaveTheCallersPriority() throws Exception {
    try (FileSystem fs = fileSystem();
        FileSystem be7 = fileSystem("dfs.client.io.priority", "be:7")) {
      assertStripesHaveTheirPriority(fs);
      assertNearlyAll(
          BE7, BIG_BYTES, traced(cluster, () -> SampleFile.readAndCompare(be7, STRIPED, BIG_MIB)));
      assertOnly(BE7, traced(cluster, () -> readSome(be7, STRIPED)));
    }
  }

  @Test
  void readsOfAnErasureCodedFileByShortCircuitHaveTheCallersPriority() throws Exception {
    try (FileSystem fs = shortCircuit();
        FileSystem be7 = shortCircuit("dfs.client.io.priority", "be:7")) {
      // Opens the replicas' files, and with them the file system's metadata, before the trace.
      readAt(fs, STRIPED, IoPriority.NONE);
      try (FSDataInputStream in = fs.open(STRIPED)) {
        in.readFully(0, new byte[SMALL]);
        assertTrue(
            ((HdfsDataInputStream) in).getReadStatistics().getTotalShortCircuitBytesRead() > 0);
      }
      assertStripesHaveTheirPriority(fs);
      assertNearlyAll(
          BE7, BIG_BYTES, traced(cluster, () -> SampleFile.readAndCompare(be7, STRIPED, BIG_MIB)));
      assertOnly(BE7, traced(cluster, () -> readSome(be7, STRIPED)));
    }
  }

  private static void readSome(FileSystem fs, Path file) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      for (int i = 0; i < 8; i++) {
        in.readFully(i * 2_000_000L, new byte[SMALL]);
      }
    }
  }

  @Test
  void aSequentialReaderOfAnErasureCodedFileMayChangeItsPriority() throws Exception {
    try (FileSystem fs = fileSystem();
        FSDataInputStream in = fs.open(STRIPED)) {
      byte[] expected = new byte[BIG_MIB / 4 * MIB];
      in.readFully(0, expected);
      byte[] some = new byte[expected.length];
      BlockTraceSummary first = traced(cluster, () -> readFully(in, some, IoPriority.IDLE));
      assertTrue(first.reads(IoPriority.IDLE).bytes() >= some.length * 0.9, first.toString());
      assertArrayEquals(expected, some);
      byte[] rest = new byte[BIG_MIB * MIB - some.length];
      BlockTraceSummary second = traced(cluster, () -> readFully(in, rest, RT3));
      // As in the test of a replicated file: what was under way at the old priority is read once.
      assertTrue(second.reads(RT3).bytes() >= rest.length * 0.2, second.toString());
      assertEquals(BIG_BYTES, in.getPos());
    }
  }

  /** The rest of the stripe is read in its place, and the checksum is computed from that. */
  @Test
  void anErasureCodedFileThatHasLostADataNodeIsReadAtTheCallersPriority() throws Exception {
    Daemon lost;
    FileChecksum checksum;
    try (FileSystem fs = fileSystem()) {
      lost = dataNodeOfFirstCell(fs);
      checksum = fs.getFileChecksum(STRIPED);
    }
    cluster.stop(lost);
    // A context of its own: it remembers for minutes that the socket could not be reached.
    try (FileSystem fs = fileSystem();
        FileSystem local = shortCircuit("dfs.client.context", "degraded")) {
      for (FileSystem each : List.of(fs, local)) {
        assertNearlyAll(RT3, BIG_BYTES, traced(cluster, () -> streamStripesAt(each, RT3)));
        assertOnly(RT3, traced(cluster, () -> readAt(each, STRIPED, RT3)));
      }
      assertNearlyAll(
          RT3,
          BIG_BYTES,
          traced(cluster, () -> assertEquals(checksum, checksumAt(fs, STRIPED, RT3))));
    } finally {
      cluster.start(lost);
      awaitAllBlocks();
    }
  }

  private static Daemon dataNodeOfFirstCell(FileSystem fs) throws IOException {
    try (FSDataInputStream in = fs.open(STRIPED)) {
      LocatedStripedBlock group =
          (LocatedStripedBlock) ((HdfsDataInputStream) in).getAllBlocks().get(0);
      for (int i = 0; i < group.getLocations().length; i++) {
        int port = group.getLocations()[i].getXferPort();
        if (group.getBlockIndices()[i] == 0) {
          return cluster.daemons(Role.DATANODE).stream()
              .filter(dataNode -> dataNode.port("data") == port)
              .findFirst()
              .orElseThrow();
        }
      }
    }
    throw new IllegalStateException("no DataNode has the first cell");
  }

  /** A DataNode that was started reports its blocks after it has registered. */
  private static void awaitAllBlocks() throws IOException {
    String path = STRIPED.toUri().getPath();
    try (DistributedFileSystem fs = (DistributedFileSystem) fileSystem()) {
      await("the DataNode has reported its blocks")
          .atMost(Duration.ofMinutes(1))
          .until(() -> fs.getClient().getLocatedBlocks(path, 0).get(0).getLocations().length >= 3);
    }
  }

  private static FileChecksum checksumAt(FileSystem fs, Path file, IoPriority priority)
      throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      return fs.getFileChecksum(file);
    }
  }

  /** The DataNode reads a checksum of 4 bytes for each 512 of the file. */
  @ParameterizedTest
  @ValueSource(strings = {"MD5MD5CRC", "COMPOSITE_CRC"})
  void theChecksumOfAFileIsComputedAtTheCallersPriority(String mode) throws Exception {
    long checksums = BIG_BYTES / 128;
    String key = "dfs.checksum.combine.mode";
    try (FileSystem fs = fileSystem(key, mode);
        FileSystem be7 = fileSystem(key, mode, "dfs.client.io.priority", "be:7")) {
      for (Path file : List.of(BIG, STRIPED)) {
        final FileChecksum normal = checksumAt(fs, file, IoPriority.NONE);
        BlockTraceSummary seen =
            traced(cluster, () -> assertEquals(normal, checksumAt(fs, file, RT3)));
        assertOnly(RT3, seen);
        assertTrue(seen.reads(RT3).bytes() >= checksums * 0.95, seen::toString);
        assertOnly(BE7, traced(cluster, () -> assertEquals(normal, be7.getFileChecksum(file))));
        assertOnly(IoPriority.NONE, traced(cluster, () -> fs.getFileChecksum(file)));
      }
      // Ends within a chunk: its data is read, too.
      assertOnly(
          RT3,
          traced(
              cluster,
              () -> {
                try (PriorityScope scope = PriorityScope.open(RT3)) {
                  assertNotNull(fs.getFileChecksum(BIG, MIB + 100));
                }
              }));
    }
    assertEquals(0, Clusters.dataNodes(cluster, "Failed"));
  }

  /** The URL of the DataNode to which the NameNode sends a client of WebHDFS. */
  private static String webUrl(Path file, String operation, String method) throws IOException {
    return webUrl(file, operation, method, USER);
  }

  private static String webUrl(Path file, String operation, String method, String user)
      throws IOException {
    int port = cluster.daemon(Role.NAMENODE).port("http");
    HttpURLConnection connection =
        (HttpURLConnection)
            new URL(
                    "http://127.0.0.1:"
                        + port
                        + "/webhdfs/v1"
                        + file
                        + "?noredirect=true&user.name="
                        + user
                        + "&op="
                        + operation)
                .openConnection();
    connection.setRequestMethod(method);
    try (InputStream in = connection.getInputStream()) {
      return new ObjectMapper().readTree(in).get("Location").asText();
    }
  }

  private static void webRead(String url, String header) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
    if (header != null) {
      connection.setRequestProperty(WebRequests.HEADER, header);
    }
    byte[] expected = new byte[MIB];
    Random random = new Random(BIG_MIB);
    try (InputStream in = connection.getInputStream()) {
      for (int i = 0; i < BIG_MIB; i++) {
        random.nextBytes(expected);
        assertArrayEquals(expected, in.readNBytes(MIB));
      }
      assertEquals(-1, in.read());
    }
  }

  @Test
  void aReadByWebHdfsHasThePriorityOfItsUrlOrHeader() throws Exception {
    String url = webUrl(BIG, "OPEN", "GET");
    String parameter = "&" + WebRequests.PARAMETER + "=";
    assertNearlyAll(RT3, BIG_BYTES, traced(cluster, () -> webRead(url + parameter + RT3, null)));
    assertNearlyAll(IoPriority.IDLE, BIG_BYTES, traced(cluster, () -> webRead(url, "idle")));
    // The thread of the web server and its connections are the same.
    assertOnly(IoPriority.NONE, traced(cluster, () -> webRead(url, null)));
    long malformed = Clusters.dataNodes(cluster, "Malformed");
    assertOnly(
        IoPriority.NONE, traced(cluster, () -> webRead(url + parameter + "turbo%0A", "rt:0")));
    assertOnly(IoPriority.NONE, traced(cluster, () -> webRead(url, "rt:9")));
    assertEquals(malformed + 2, Clusters.dataNodes(cluster, "Malformed"));
    assertEquals(0, Clusters.dataNodes(cluster, "Failed"));
  }

  @Test
  void aWriteByWebHdfsHasThePriorityOfItsUrl() throws Exception {
    Path file = new Path("/web");
    String url = webUrl(file, "CREATE", "PUT") + "&" + WebRequests.PARAMETER + "=idle";
    byte[] data = new byte[16 * MIB];
    new Random(16).nextBytes(data);
    BlockTraceSummary seen =
        traced(
            cluster,
            () -> {
              HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
              connection.setRequestMethod("PUT");
              connection.setDoOutput(true);
              connection.setFixedLengthStreamingMode(data.length);
              try (OutputStream out = connection.getOutputStream()) {
                out.write(data);
              }
              assertEquals(201, connection.getResponseCode());
            });
    // The last part is still in the page cache when the file is closed.
    assertTrue(seen.writes(IoPriority.IDLE).bytes() >= data.length / 2, seen::toString);
    try (FileSystem fs = fileSystem();
        FSDataInputStream in = fs.open(file)) {
      assertArrayEquals(data, in.readAllBytes());
    }
  }

  @Test
  void theChecksumByWebHdfsHasThePriorityOfItsUrl() throws Exception {
    String url = webUrl(BIG, "GETFILECHECKSUM", "GET") + "&" + WebRequests.PARAMETER + "=rt:3";
    assertOnly(
        RT3,
        traced(
            cluster,
            () -> {
              try (InputStream in = new URL(url).openStream()) {
                assertTrue(in.readAllBytes().length > 0);
              }
            }));
  }

  /** A user of WebHDFS is granted what the policy allows that user, and not the DataNode. */
  @Test
  void thePolicyDecidesAboutTheUserOfWebHdfs() throws Exception {
    String url = webUrl(BIG, "OPEN", "GET", "hprio-web") + "&" + WebRequests.PARAMETER + "=" + RT3;
    setPolicy(
        "<io-priority-policy>\n<rule user='hprio-web' highest='be:2'/>\n</io-priority-policy>\n");
    try {
      assertNearlyAll(
          IoPriority.bestEffort(2), BIG_BYTES, traced(cluster, () -> webRead(url, null)));
      String own = webUrl(BIG, "OPEN", "GET") + "&" + WebRequests.PARAMETER + "=" + RT3;
      assertNearlyAll(RT3, BIG_BYTES, traced(cluster, () -> webRead(own, null)));
    } finally {
      setPolicy("<io-priority-policy/>");
    }
  }

  @Test
  void theClientsConfigurationIsItsDefault() throws Exception {
    try (FileSystem fs = fileSystem("dfs.client.io.priority", "be:7");
        FileSystem other = fileSystem()) {
      assertNearlyAll(
          IoPriority.bestEffort(7),
          BIG_BYTES,
          traced(cluster, () -> SampleFile.readAndCompare(fs, BIG, BIG_MIB)));
      assertOnly(RT3, traced(cluster, () -> readAt(fs, RT3)));
      assertOnly(
          IoPriority.NONE, traced(cluster, () -> SampleFile.readAndCompare(other, BIG, BIG_MIB)));
    }
  }

  @Test
  void aMalformedConfigurationIsANormalRead() throws Exception {
    try (FileSystem fs = fileSystem("dfs.client.io.priority", "turbo")) {
      assertOnly(
          IoPriority.NONE, traced(cluster, () -> SampleFile.readAndCompare(fs, BIG, BIG_MIB)));
    }
  }

  @Test
  void theEnvironmentIsTheLastResort() throws Exception {
    String mib = Integer.toString(BIG_MIB);
    BlockTraceSummary seen =
        traced(
            cluster,
            () ->
                Clusters.output(
                    cluster
                        .client(SampleFile.class.getName(), "read", BIG.toString(), mib)
                        .addClassPath(TestClasses.directory())
                        .env("HADOOP_IO_PRIORITY", "idle")));
    assertNearlyAll(IoPriority.IDLE, BIG_BYTES, seen);
  }

  @Test
  void allHooksAreInForceAndCountWhatPasses() throws Exception {
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      int total = Clusters.metric(cluster, dataNode, "HooksTotal").asInt();
      assertTrue(total > 0);
      assertEquals(total, Clusters.metric(cluster, dataNode, "HooksApplied").asInt());
    }
    long before = Clusters.dataNodes(cluster, "GrantedRealtime");
    try (FileSystem fs = fileSystem()) {
      readAt(fs, RT3);
    }
    assertEquals(before + 32, Clusters.dataNodes(cluster, "GrantedRealtime"));
    assertEquals(0, Clusters.dataNodes(cluster, "Failed"));
  }

  @Test
  void theSameReadWithAFieldThatIsWellFormedIsServedAtItsPriority() throws Exception {
    try (FileSystem fs = fileSystem();
        FSDataInputStream in = fs.open(BIG)) {
      LocatedBlock block = ((HdfsDataInputStream) in).getAllBlocks().get(0);
      byte[] rt3 = StringUtils.hexStringToByte("08011003");
      assertOnly(
          RT3,
          traced(cluster, () -> assertEquals(Status.SUCCESS, RawRead.send(block, rt3, SMALL))));
    }
  }

  /** What another implementation, or a hostile one, might send. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "0809", "08011008", "0a0101", "08011a", "ff", "08ffffffffffffffffff01"})
  void aMalformedFieldIsCountedAndTheReadIsServedAsNormal(String content) throws Exception {
    long before = Clusters.dataNodes(cluster, "Malformed");
    try (FileSystem fs = fileSystem();
        FSDataInputStream in = fs.open(BIG)) {
      LocatedBlock block = ((HdfsDataInputStream) in).getAllBlocks().get(0);
      BlockTraceSummary seen =
          traced(
              cluster,
              () ->
                  assertEquals(
                      Status.SUCCESS,
                      RawRead.send(block, StringUtils.hexStringToByte(content), SMALL)));
      assertOnly(IoPriority.NONE, seen);
    }
    assertEquals(before + 1, Clusters.dataNodes(cluster, "Malformed"));
  }

  /** Nothing is decided about a read whose block token is not the NameNode's. */
  @Test
  void aForgedBlockTokenUsesNobodysRateAndAsksForNobodysGroups() throws Exception {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    byte[] rt3 = StringUtils.hexStringToByte("08011003");
    String policy =
        "<io-priority-policy>\n<rule user='"
            + user
            + "' highest='rt:3'><cap class='rt' rate='1'/></rule>\n"
            + "<rule group='no-such-group' highest='be:7'/>\n</io-priority-policy>\n";
    setPolicy(policy);
    try (FileSystem fs = fileSystem();
        FSDataInputStream in = fs.open(TWICE)) {
      LocatedBlock block = ((HdfsDataInputStream) in).getAllBlocks().get(0);
      Token<BlockTokenIdentifier> genuine = block.getBlockToken();
      BlockTokenIdentifier id = genuine.decodeIdentifier();
      assertEquals(user, id.getUserId());
      long asked = Clusters.dataNodes(cluster, "Asked");
      long granted = Clusters.dataNodes(cluster, "GrantedRealtime");
      long unknown = Clusters.dataNodes(cluster, "GroupsUnknown");

      for (String name : List.of(user, STRANGER)) {
        block.setBlockToken(forged(name, block.getBlock(), id));
        assertEquals(Status.ERROR_ACCESS_TOKEN, RawRead.send(block, rt3, SMALL));
      }
      assertEquals(asked, Clusters.dataNodes(cluster, "Asked"));
      assertEquals(unknown, Clusters.dataNodes(cluster, "GroupsUnknown"));
      for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
        assertEquals(
            List.of(),
            Files.readString(dataNode.logFile())
                .lines()
                .filter(line -> line.matches(".*groups for .*" + STRANGER + ".*"))
                .collect(Collectors.toList()));
      }

      block.setBlockToken(forged(user, block.getBlock(), id));
      assertEquals(Status.ERROR_ACCESS_TOKEN, RawRead.sendChecksum(block, rt3));
      assertEquals(asked, Clusters.dataNodes(cluster, "Asked"));

      block.setBlockToken(genuine);
      assertEquals(Status.SUCCESS, RawRead.sendChecksum(block, rt3));
      assertEquals(asked + 1, Clusters.dataNodes(cluster, "Asked"));
      assertEquals(granted + 1, Clusters.dataNodes(cluster, "GrantedRealtime"));
      assertEquals(0, Clusters.dataNodes(cluster, "Capped"));
      // The rate is one request each second, and a new policy has counted none.
      setPolicy(policy + "<!-- again -->\n");
      granted++;

      assertEquals(Status.SUCCESS, RawRead.send(block, rt3, SMALL));
      assertEquals(granted + 1, Clusters.dataNodes(cluster, "GrantedRealtime"));
      assertEquals(0, Clusters.dataNodes(cluster, "Capped"));
    } finally {
      setPolicy("<io-priority-policy/>");
    }
  }

  /** What anybody can write who does not have the key that the daemons sign with. */
  private static Token<BlockTokenIdentifier> forged(
      String user, ExtendedBlock block, BlockTokenIdentifier like) {
    BlockTokenIdentifier id =
        new BlockTokenIdentifier(
            user,
            block.getBlockPoolId(),
            block.getBlockId(),
            like.getAccessModes(),
            like.getStorageTypes(),
            like.getStorageIds(),
            true);
    id.setExpiryDate(like.getExpiryDate());
    id.setKeyId(like.getKeyId());
    return new Token<>(id.getBytes(), new byte[20], id.getKind(), new Text());
  }

  private static void setPolicy(String policy) throws IOException {
    java.nio.file.Path file = socketDirectory.resolve("policy.xml");
    Files.writeString(file, policy);
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      cluster.reconfigure(dataNode, o -> o.conf(DataNodeKeys.POLICY_FILE.name(), file.toString()));
    }
  }
}
