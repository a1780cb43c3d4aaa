package org.hadoopprio.bench.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.bench.cluster.LocalCluster;
import org.hadoopprio.bench.disk.DiskKind;
import org.hadoopprio.bench.disk.Vhdd;
import org.hadoopprio.bench.disk.VirtualDisk;
import org.hadoopprio.bench.workload.RandomReaders;
import org.hadoopprio.bench.workload.StreamFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The class that the drive itself sees of positioned reads. */
class RandomReadersIT {

  private static final long FILE_BYTES = 64L << 20;
  private static final int LENGTH = 56 << 10;

  /** A JVM on a busy machine is ready in that time. */
  private static final int RAMP_MS = 15_000;

  private static LocalCluster cluster;
  private static Vhdd drive;

  @BeforeAll
  static void start() throws Exception {
    String missing = Vhdd.unavailable().orElse(null);
    if (missing != null && Boolean.parseBoolean(System.getenv("CI"))) {
      throw new IllegalStateException("CI must have what the tests need: " + missing);
    }
    Assumptions.assumeTrue(missing == null, () -> "no virtual disk: " + missing);
    cluster =
        Clusters.of(RandomReadersIT.class)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .disk(DiskKind.VIRTUAL)
            .diskBytes(2L << 30)
            .start();
    drive = ((VirtualDisk) cluster.disks().get(0)).vhdd();
    drive.loading(true);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      StreamFiles.write(
          fs, new org.apache.hadoop.fs.Path("/files/0"), 0, 2, FILE_BYTES, written -> {});
    }
    cluster.evictPageCache();
    drive.loading(false);
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.stop();
    }
  }

  /** What a client of two threads reports that reads for two seconds. */
  private static JsonNode read(String... more) throws Exception {
    Path report = Files.createTempFile("random-readers-", ".json");
    Path startFile = Files.createTempFile("random-readers-", ".start");
    try {
      Files.writeString(startFile, Long.toString(System.currentTimeMillis() + RAMP_MS));
      String[] arguments = {
        "--directory=/files",
        "--length=" + LENGTH,
        "--threads=2",
        "--seconds=2",
        "--start-file=" + startFile,
        "--report=" + report
      };
      String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
      System.arraycopy(more, 0, all, arguments.length, more.length);
      drive.resetStats();
      Clusters.output(cluster.client(RandomReaders.class.getName(), all));
      JsonNode read = new ObjectMapper().readTree(report.toFile());
      // Less than that is an answer from memory.
      assertTrue(read.path("p50_ms").asDouble() > 3, read.toString());
      return read;
    } finally {
      Files.delete(report);
      Files.delete(startFile);
    }
  }

  /** Requests to the drive by class, while that client read. */
  private static Map<String, Long> requests(String... more) throws Exception {
    JsonNode read = read(more);
    assertTrue(read.path("reads").asInt() > 20, read.toString());
    JsonNode stats = drive.stats();
    assertEquals(0, stats.at("/priorities/missing").asInt(), stats.toString());
    Map<String, Long> requests = new HashMap<>();
    for (JsonNode c : stats.path("classes")) {
      if (c.path("operation").asText().equals("read")) {
        requests.merge(c.path("class").asText(), c.path("count").asLong(), Long::sum);
      }
    }
    return requests;
  }

  @Test
  void realtimeReadsReachTheDriveAsRealtime() throws Exception {
    Map<String, Long> requests = requests("--priority=rt:0");
    long all = requests.values().stream().mapToLong(Long::longValue).sum();
    assertTrue(requests.getOrDefault("rt", 0L) > 0.95 * all, requests.toString());
  }

  @Test
  void readsWithoutAPriorityDoNot() throws Exception {
    Map<String, Long> requests = requests();
    assertEquals(0L, requests.getOrDefault("rt", 0L), requests.toString());
    assertTrue(requests.values().stream().anyMatch(count -> count > 20), requests.toString());
  }

  @Test
  void anOpenLoopReadsAtItsRate() throws Exception {
    // 40 are due in the two seconds that are measured; of a Poisson process, give or take 6.
    int reads = read("--rate=20").path("reads").asInt();
    assertTrue(reads > 12 && reads < 68, reads + " reads");
  }
}
