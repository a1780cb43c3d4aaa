package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.disk.Directories;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.workload.MeasuredRun;
import org.hadoopprio.lab.workload.RandomReaders;
import org.hadoopprio.lab.workload.StreamFiles;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The drive itself sees the class that positioned reads were given, and none where they had none.
 */
class RandomReadersIT {

  private static final long FILE_BYTES = 64L << 20;
  private static final int LENGTH = 56 << 10;

  /** How long the client reads before the measured time. */
  private static final int RAMP_MS = 1_000;

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
    Path directory = Files.createTempDirectory("random-readers-");
    try {
      Path report = directory.resolve("report.json");
      Path startFile = directory.resolve("start");
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  "--directory=/files",
                  "--length=" + LENGTH,
                  "--threads=2",
                  "--seconds=2",
                  "--start-file=" + startFile,
                  "--report=" + report));
      arguments.addAll(List.of(more));
      drive.resetStats();
      run(arguments, startFile);
      JsonNode read = new ObjectMapper().readTree(report.toFile());
      // Less than that is an answer from memory.
      assertTrue(read.path("p50_ms").asDouble() > 3, read.toString());
      return read;
    } finally {
      Directories.delete(directory);
    }
  }

  /** Runs the client, which is told when to begin as soon as it is ready. */
  private static void run(List<String> arguments, Path startFile) throws Exception {
    Process client =
        cluster
            .client(RandomReaders.class.getName(), arguments.toArray(new String[0]))
            .toProcessBuilder()
            .redirectErrorStream(true)
            .start();
    StringBuilder said = new StringBuilder();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        said.append(line).append('\n');
        if (line.equals(MeasuredRun.READY)) {
          // The client looks for the file, and must not find a part of it.
          Path whole = startFile.resolveSibling("start.new");
          Files.writeString(whole, Long.toString(System.currentTimeMillis() + RAMP_MS));
          Files.move(whole, startFile);
        }
      }
    }
    assertEquals(0, client.waitFor(), said::toString);
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
