// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.ShortCircuit;
import org.hadoopprio.lab.cluster.VolumeReport;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.lab.trace.BlockTrace;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.hadoopprio.off.FlagFile;
import org.hadoopprio.tools.trace.BlockTraceEvent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Off under load, in the kernel's block trace: Gets at real-time and a stream through the DataNode,
 * and a stream by short circuit.
 */
class OffIT {

  private static final IoPriority GET_PRIORITY = IoPriority.realtime(3);
  private static final Path GETS = new Path("/gets");
  private static final int GETS_MIB = 256;
  private static final int GET_BYTES = 56 << 10;
  private static final Path LOCAL = new Path("/local");
  private static final Path REMOTE = new Path("/remote");
  private static final int STREAM_MIB = 384;

  /** As the kernel prints the classes of what is read with the agent, and of stock's. */
  private static final Set<String> OURS = Set.of("rt,0,3", "idle", "be,0,6");

  private static final String STOCKS = BlockTraceSummary.kernelText(IoPriority.NONE);

  /** How long only stock's classes must be seen. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** What operators are told: seconds. */
  private static final long SECONDS = 10;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static LocalCluster cluster;
  private static java.nio.file.Path flag;

  /** When each priority was last seen at the disk. */
  private final Map<String, Long> seen = new ConcurrentHashMap<>();

  private final AtomicBoolean end = new AtomicBoolean();
  private final List<Process> clients = new ArrayList<>();
  private final List<Future<Void>> threads = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    Need.LIBHADOOP.require(Optional.ofNullable(DomainSocket.getLoadingFailureReason()));
    ShortCircuit.makeDirectory();
    flag = Clusters.directory(OffIT.class).resolveSibling("off-flag");
    Files.deleteIfExists(flag);
    cluster =
        PlainDrive.of(OffIT.class)
            .configure(
                Role.DATANODE,
                options -> {
                  ShortCircuit.conf().forEach(options::conf);
                  options.systemProperty(FlagFile.PROPERTY, flag.toString());
                })
            .start();
    Clusters.requireBlockTrace(cluster);
    Map<Path, Integer> files = new LinkedHashMap<>();
    files.put(GETS, GETS_MIB);
    files.put(LOCAL, STREAM_MIB);
    files.put(REMOTE, STREAM_MIB);
    try (FileSystem fs = Clusters.fileSystem(cluster)) {
      PlainDrive.write(cluster, fs, files);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
    ShortCircuit.remove();
    Files.deleteIfExists(flag);
  }

  /** A client that reads a file again and again, and obeys the flag file. */
  private static Process stream(Path file, boolean local, String priority) throws IOException {
    ClientCommand client =
        cluster
            .client(StreamMain.class.getName(), file.toString())
            .addClassPath(TestClasses.directory())
            .jvmOption("-D" + FlagFile.PROPERTY + "=" + flag)
            .env("HADOOP_IO_PRIORITY", priority);
    if (local) {
      ShortCircuit.conf().forEach((key, value) -> client.addArguments(key + "=" + value));
    }
    return client
        .toProcessBuilder()
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /** The client in this process does not know of the flag file. */
  private Void gets() throws IOException {
    byte[] buffer = new byte[GET_BYTES];
    try (FileSystem fs = Clusters.fileSystem(cluster);
        FSDataInputStream in = fs.open(GETS)) {
      while (!end.get()) {
        long position = ThreadLocalRandom.current().nextLong(GETS_MIB * 16L) * (MIB / 16);
        PriorityReads.readFully(in, position, buffer, 0, GET_BYTES, GET_PRIORITY);
      }
    }
    return null;
  }

  private Void evict() throws Exception {
    while (!end.get()) {
      cluster.evictPageCache();
      TimeUnit.MILLISECONDS.sleep(500);
    }
    return null;
  }

  private void saw(BlockTraceEvent event) {
    if (event.isRead() || event.isWrite()) {
      String priority = event.priority().orElse("?");
      seen.put(priority.startsWith("idle") ? "idle" : priority, System.nanoTime());
    }
  }

  private interface Switch {
    void set() throws Exception;
  }

  private void awaitPriorities(String when) {
    long since = System.nanoTime();
    await("the priorities at the disk " + when)
        .atMost(PATIENCE)
        .failFast("a part of the load has ended", this::hasLoadEnded)
        .untilAsserted(
            () ->
                assertEquals(
                    Set.of(),
                    OURS.stream()
                        .filter(priority -> seen.getOrDefault(priority, since) - since <= 0)
                        .collect(Collectors.toSet()),
                    "not seen"));
  }

  /** Returns after how many seconds the last request had another priority than stock's. */
  private double awaitStock(Switch off) throws Exception {
    long switched = System.nanoTime();
    off.set();
    long last =
        await("only stock's classes at the disk")
            .atMost(PATIENCE)
            .until(() -> lastWithOtherClass(switched), at -> System.nanoTime() - at >= QUIET_NANOS);
    assertTrue(System.nanoTime() - seen.get(STOCKS) < QUIET_NANOS, "the load goes on");
    return (last - switched) / 1e9;
  }

  private long lastWithOtherClass(long notBefore) {
    return seen.entrySet().stream()
        .filter(each -> !each.getKey().equals(STOCKS))
        .mapToLong(Map.Entry::getValue)
        .reduce(notBefore, Math::max);
  }

  private boolean hasLoadEnded() {
    return threads.stream().anyMatch(Future::isDone)
        || !clients.stream().allMatch(Process::isAlive);
  }

  private void underLoad(Callable<Void> test) throws Exception {
    ExecutorService executor = Executors.newCachedThreadPool();
    try (BlockTrace trace = BlockTrace.start(cluster.devices(), this::saw)) {
      clients.add(stream(LOCAL, true, "idle"));
      clients.add(stream(REMOTE, false, "be:6"));
      threads.add(executor.submit(this::gets));
      threads.add(executor.submit(this::evict));
      awaitPriorities("at first");
      test.call();
      for (Process client : clients) {
        assertTrue(client.isAlive(), "a client has failed");
      }
      end.set(true);
      for (Future<Void> each : threads) {
        each.get(1, TimeUnit.MINUTES);
      }
    } finally {
      end.set(true);
      executor.shutdownNow();
      clients.forEach(Process::destroyForcibly);
    }
  }

  private static void assertSoon(String what, double seconds) {
    System.out.printf("%s: only stock's classes at the disk after %.1f s%n", what, seconds);
    assertTrue(seconds < SECONDS, () -> what + " took " + seconds + " s");
  }

  @Test
  void theFlagFileSwitchesOffWithinSecondsAndOnAgain() throws Exception {
    Daemon dataNode = cluster.daemon(Role.DATANODE);
    underLoad(
        () -> {
          assertSoon("flag file", awaitStock(() -> Files.createFile(flag)));
          assertEquals(
              "all modules: the file " + flag + " is there",
              Clusters.metric(cluster, dataNode, "Off").asText());
          Files.delete(flag);
          awaitPriorities("on again");
          assertEquals("", Clusters.metric(cluster, dataNode, "Off").asText());
          return null;
        });
    assertEquals(2, Clusters.logged(dataNode, "hadoop-prio is O", "hadoop-prio is on").size());
  }

  /** Clients are not off: those that read by short circuit are told by the DataNode. */
  @Test
  void theKeyOfTheDataNodeDoesTheSame() throws Exception {
    underLoad(
        () -> {
          try {
            assertSoon("key", awaitStock(() -> mode("off")));
          } finally {
            mode("turns");
          }
          awaitPriorities("on again");
          return null;
        });
  }

  private static void mode(String mode) throws Exception {
    String status = DiskTimeIT.reconfigure(cluster, SchedulerKeys.MODE.name(), mode);
    assertTrue(status.contains("SUCCESS"), status);
  }

  /** On a busy machine some seconds may pass without a read that would have waited. */
  private static void awaitMore(String what, long before, Callable<Long> counter) {
    await(what + " are counted").atMost(PATIENCE).until(counter, count -> count > before);
  }

  private static VolumeReport volume() throws IOException {
    return VolumeReport.of(cluster, cluster.daemon(Role.DATANODE));
  }

  /** The same at the disk as off; only the DataNode's counters go on. */
  @Test
  void anObservedDataNodeIsStockAndCounts() throws Exception {
    underLoad(
        () -> {
          try {
            assertSoon("observe", awaitStock(() -> mode("observe")));
            VolumeReport before = volume();
            assertEquals("observe", before.inForce());
            long granted = Clusters.dataNodes(cluster, "GrantedRealtime");
            awaitMore("reads", before.observedReads(), () -> volume().observedReads());
            awaitMore("waits", before.observedWaits(), () -> volume().observedWaits());
            awaitMore("real-time", granted, () -> Clusters.dataNodes(cluster, "GrantedRealtime"));
          } finally {
            mode("turns");
          }
          awaitPriorities("on again");
          return null;
        });
  }
}
