// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.hadoopprio.lab.it.Clusters.assertOnly;
import static org.hadoopprio.lab.it.Clusters.traced;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.hdfs.datanode.engine.EngineKeys;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Directories;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A DataNode with a volume for each engine reads every byte right through them, and falls back to
 * stock reads where an engine cannot work. A loop device stands for the SATA disk of {@code ncq},
 * in the library and in the helper; lab/wire tests the commands to a drive.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EnginesIT {

  private static final IoPriority RT3 = IoPriority.realtime(3);
  private static final IoPriority BE6 = IoPriority.bestEffort(6);
  private static final int FILE_BYTES = 2 * MIB;
  private static final int READ_BYTES = 64 * 1024;

  /** As long as a refusal may last, on a busy machine. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** The DataNode's volumes. */
  private enum Volume {
    DIRECT("direct"),
    NCQ("ncq"),
    STOCK("thread"),
    /** On a file system without a disk. */
    MEMORY("direct");

    final String wanted;

    Volume(String wanted) {
      this.wanted = wanted;
    }

    java.nio.file.Path directory() {
      return (this == MEMORY ? memory : disk).resolve(name().toLowerCase(Locale.ROOT));
    }
  }

  private static java.nio.file.Path disk;
  private static java.nio.file.Path memory;
  private static java.nio.file.Path socketDirectory;
  private static LocalCluster cluster;
  private static FileSystem fs;
  private static Process helper;

  /** A file on each volume. */
  private static final Map<Volume, Path> FILES = new EnumMap<>(Volume.class);

  @BeforeAll
  static void start() throws Exception {
    Clusters.requireRoot("a loop device");
    memory = Files.createTempDirectory(java.nio.file.Path.of("/dev/shm"), "hprio-it-");
    socketDirectory = Files.createTempDirectory("hprio-it-");
    disk =
        java.nio.file.Path.of("target", "it", EnginesIT.class.getSimpleName())
            .toAbsolutePath()
            .resolve("disks/datanode-1");
    String engines =
        Stream.of(Volume.values())
            .map(volume -> volume.directory() + "=" + volume.wanted)
            .collect(Collectors.joining(", "));
    String library = Clusters.built("pbs/libhprio_pbs_on_loop.so").toString();
    cluster =
        Clusters.of(EnginesIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .conf("dfs.blocksize", Integer.toString(8 * MIB))
            // A read of a file that is deleted meanwhile must not take seconds to find that out.
            .conf("dfs.client.retry.window.base", "200")
            .configure(
                Role.DATANODE,
                o ->
                    o.conf(
                            "dfs.datanode.data.dir",
                            Stream.of(Volume.values())
                                .map(volume -> volume.directory().toUri().toString())
                                .collect(Collectors.joining(",")))
                        .conf(EngineKeys.ENGINE.name(), engines + ", /no/volume=auto")
                        .conf(EngineKeys.LIBRARY.name(), library)
                        .conf(EngineKeys.NCQ_HELPER.name(), socket().toString()))
            .start();
    Clusters.requireBlockTrace(cluster);
    fs = FileSystem.newInstance(cluster.hadoopConf());
    // HDFS chooses volumes in turn.
    for (int i = 0; FILES.size() < Volume.values().length; i++) {
      assertTrue(i < 40, "no file on some volume: " + FILES);
      Path file = new Path("/file-" + i);
      try (FSDataOutputStream out = fs.create(file)) {
        out.write(content(file));
      }
      FILES.putIfAbsent(volumeOf(file), file);
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (helper != null) {
      stopHelper();
    }
    if (fs != null) {
      fs.close();
    }
    if (cluster != null) {
      cluster.stop();
    }
    if (memory != null) {
      Directories.delete(memory);
      Directories.delete(socketDirectory);
    }
  }

  private static java.nio.file.Path socket() {
    return socketDirectory.resolve("pbsd.sock");
  }

  private static void startHelper(int servedUser) throws IOException {
    java.nio.file.Path log = socketDirectory.resolve("pbsd.log");
    helper =
        new ProcessBuilder(
                Clusters.built("pbs/hprio-pbsd_on_loop").toString(),
                "--socket",
                socket().toString(),
                "--allow-uid",
                Integer.toString(servedUser),
                "--user",
                "65534:65534",
                disk.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    await("the helper serves")
        .atMost(PATIENCE)
        .failFast(() -> assertTrue(helper.isAlive(), Files.readString(log)))
        .until(() -> Files.readString(log), said -> said.contains("serves"));
  }

  private static void stopHelper() throws Exception {
    helper.destroy();
    helper.waitFor();
    Files.deleteIfExists(socket());
  }

  private static byte[] content(Path file) {
    byte[] bytes = new byte[FILE_BYTES];
    new Random(file.getName().hashCode()).nextBytes(bytes);
    return bytes;
  }

  static Volume volumeOf(Path file) throws IOException {
    String block;
    try (FSDataInputStream in = fs.open(file)) {
      block = ((HdfsDataInputStream) in).getAllBlocks().get(0).getBlock().getBlockName();
    }
    for (Volume volume : Volume.values()) {
      try (Stream<java.nio.file.Path> files = Files.walk(volume.directory())) {
        if (files.anyMatch(path -> path.getFileName().toString().equals(block))) {
          return volume;
        }
      }
    }
    return fail("no volume has " + block);
  }

  private static void read(Volume volume, IoPriority priority, int reads) throws IOException {
    Path file = FILES.get(volume);
    byte[] expected = content(file);
    byte[] actual = new byte[READ_BYTES];
    try (FSDataInputStream in = fs.open(file)) {
      for (int i = 0; i < reads; i++) {
        // Not aligned, and up to the file's last byte.
        int offset = (FILE_BYTES - READ_BYTES) / reads * (i + 1);
        PriorityReads.readFully(in, offset, actual, 0, READ_BYTES, priority);
        assertArrayEquals(Arrays.copyOfRange(expected, offset, offset + READ_BYTES), actual);
      }
    }
  }

  private static JsonNode status(Volume volume) throws IOException {
    JsonNode engines = Clusters.metric(cluster, cluster.daemon(Role.DATANODE), "Engines");
    for (JsonNode engine : engines) {
      if (engine.get("volume").asText().equals(volume.directory().toString())) {
        return engine;
      }
    }
    return fail("no " + volume.directory() + " in " + engines);
  }

  /** Reads until the volume's engine is as it should be. */
  private static JsonNode awaitEngine(Volume volume, String engine, String reason) {
    Predicate<JsonNode> isWanted =
        status ->
            status.get("engine").asText().equals(engine)
                && status.get("reason").asText().contains(reason);
    return await(engine + ", " + reason)
        .atMost(PATIENCE)
        .until(
            () -> {
              JsonNode status = status(volume);
              if (!isWanted.test(status)) {
                cluster.evictPageCache();
                read(volume, RT3, 1);
              }
              return status;
            },
            isWanted);
  }

  /** Ends early where a file is deleted meanwhile. */
  private static void evictWhatStays() {
    try {
      cluster.evictPageCache();
    } catch (IOException e) {
      System.out.println("not all evicted: " + e.getMessage());
    }
  }

  private static List<String> logged(String text) throws IOException {
    try (Stream<String> lines = Files.lines(cluster.daemon(Role.DATANODE).logFile())) {
      return lines.filter(line -> line.contains(text)).collect(Collectors.toList());
    }
  }

  @Test
  @Order(1)
  void theEnginesAreReadyBeforeTheFirstRead() throws Exception {
    awaitEngine(Volume.DIRECT, "direct", "wanted");
    assertEquals("thread", status(Volume.STOCK).get("engine").asText());
    assertEquals(0, status(Volume.STOCK).get("fallbacks").asLong());
    assertEquals(1, logged("names /no/volume, which is not a volume").size());
  }

  @Test
  @Order(2)
  void directReadsPastThePageCacheAtThePriorityOfTheRead() throws Exception {
    long before = status(Volume.DIRECT).get("reads").asLong();
    assertOnly(RT3, traced(cluster, () -> read(Volume.DIRECT, RT3, 8)));
    assertTrue(status(Volume.DIRECT).get("reads").asLong() >= before + 8);
    // Not in the cache now either.
    BlockTraceSummary again = traced(cluster, () -> read(Volume.DIRECT, RT3, 8));
    assertTrue(again.reads(RT3).bytes() >= 8L * READ_BYTES, again.toString());
  }

  @Test
  @Order(2)
  void whatIsInThePageCacheIsReadFromThere() throws Exception {
    cluster.evictPageCache();
    read(Volume.DIRECT, IoPriority.NONE, 32);
    long cached = status(Volume.DIRECT).get("cached").asLong();
    long reads = status(Volume.DIRECT).get("reads").asLong();
    read(Volume.DIRECT, RT3, 8);
    assertTrue(status(Volume.DIRECT).get("cached").asLong() >= cached + 8);
    assertEquals(reads, status(Volume.DIRECT).get("reads").asLong());
  }

  @Test
  @Order(2)
  void readsThatAreNotRealtimeStayStock() throws Exception {
    JsonNode before = status(Volume.DIRECT);
    assertOnly(IoPriority.NONE, traced(cluster, () -> read(Volume.DIRECT, IoPriority.NONE, 8)));
    assertOnly(BE6, traced(cluster, () -> read(Volume.DIRECT, BE6, 8)));
    assertEquals(before, status(Volume.DIRECT));
  }

  @Test
  @Order(2)
  void volumesWithoutAnEngineStayStock() throws Exception {
    assertOnly(RT3, traced(cluster, () -> read(Volume.STOCK, RT3, 8)));
    assertEquals(0, status(Volume.STOCK).get("reads").asLong());
  }

  @Test
  @Order(2)
  void aVolumeThatCannotDoItIsReadPlainlyAndSaysWhyOnce() throws Exception {
    read(Volume.MEMORY, RT3, 32);
    JsonNode status = awaitEngine(Volume.MEMORY, "thread", "tmpfs is in memory");
    assertTrue(status.get("fallbacks").asLong() >= 32, status.toString());
    assertEquals(1, logged("tmpfs is in memory").size());
  }

  @Test
  @Order(3)
  void ncqReadsThroughTheHelperWhileItRuns() throws Exception {
    read(Volume.NCQ, RT3, 8);
    awaitEngine(Volume.NCQ, "thread", "No such file");
    assertEquals(1, logged("No such file").size());

    startHelper(12345);
    awaitEngine(Volume.NCQ, "thread", "does not serve uid 0");
    stopHelper();
    startHelper(0);
    long before = awaitEngine(Volume.NCQ, "ncq", "wanted").get("reads").asLong();
    cluster.evictPageCache();
    read(Volume.NCQ, RT3, 8);
    // The checksums, too.
    assertTrue(status(Volume.NCQ).get("reads").asLong() >= before + 16);

    stopHelper();
    read(Volume.NCQ, RT3, 32);
    awaitEngine(Volume.NCQ, "thread", "in a row");
    startHelper(0);
    awaitEngine(Volume.NCQ, "ncq", "wanted");
  }

  @Test
  @Order(4)
  void everyByteIsRightBesideAppendsTruncatesAndDeletes() throws Exception {
    awaitEngine(Volume.NCQ, "ncq", "wanted");
    Map<Volume, Long> before = new EnumMap<>(Volume.class);
    for (Volume volume : List.of(Volume.DIRECT, Volume.NCQ)) {
      before.put(volume, status(volume).get("reads").asLong());
    }
    try (FileChurn churn =
        new FileChurn(
            (DistributedFileSystem) fs,
            file -> before.containsKey(volumeOf(file)),
            EnginesIT::evictWhatStays)) {
      int reads = churn.read(Scale.CHURN_READS.value(), RT3);
      System.out.println(reads + " reads beside " + churn.changes() + " changes of files");
      assertTrue(reads > 1_000 && churn.changes() > 10, reads + " reads, " + churn.changes());
    }
    for (Volume volume : before.keySet()) {
      JsonNode status = status(volume);
      assertTrue(status.get("reads").asLong() > before.get(volume) + 200, status.toString());
      assertEquals(volume.wanted, status.get("engine").asText(), status.toString());
    }
  }
}
