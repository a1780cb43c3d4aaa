// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.hadoopprio.lab.it.Clusters.MIB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.hadoopprio.hdfs.wire.TurnSocket;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.ShortCircuit;
import org.hadoopprio.lab.cluster.VolumeReport;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Reads by short circuit take part in the scheduler of disk time of a real DataNode, on a virtual
 * disk whose drive knows no priority.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShortCircuitIT {

  private static final IoPriority RT3 = IoPriority.realtime(3);
  private static final Path GETS = new Path("/gets");
  private static final int GETS_MIB = 256;
  private static final int GET_BYTES = 56 * 1024;
  private static final int STREAM_MIB = 384;
  private static final int STREAMS = 4;
  private static final int MAX_TRIES = 5;
  private static final long RAMP_MILLIS = 500;
  private static final long LOAD_MILLIS = 3_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static LocalCluster cluster;
  private static Daemon dataNode;

  /** What a load got done. */
  private static final class Done {
    final AtomicLongArray streamBytes = new AtomicLongArray(STREAMS);
    final AtomicLong gets = new AtomicLong();
    final AtomicLong getNanos = new AtomicLong();

    double meanMillis() {
      return getNanos.get() / 1e6 / gets.get();
    }

    @Override
    public String toString() {
      return gets + " Gets in " + getNanos.get() / 1_000_000 + " ms, streams " + streamBytes;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    Need.LIBHADOOP.require(Optional.ofNullable(DomainSocket.getLoadingFailureReason()));
    ShortCircuit.makeDirectory();
    cluster =
        PlainDrive.of(ShortCircuitIT.class)
            .configure(Role.DATANODE, options -> ShortCircuit.conf().forEach(options::conf))
            .start();
    dataNode = cluster.daemon(Role.DATANODE);
    Map<Path, Integer> files = new LinkedHashMap<>(Map.of(GETS, GETS_MIB));
    for (int i = 0; i < STREAMS; i++) {
      files.put(stream(i), STREAM_MIB);
    }
    try (FileSystem fs = fileSystem(false)) {
      PlainDrive.write(cluster, fs, files);
    }
    awaitSocket(true);
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      cluster.stop();
    }
    ShortCircuit.remove();
  }

  private static Path stream(int i) {
    return new Path("/stream" + i);
  }

  private static FileSystem fileSystem(boolean local) throws IOException {
    Configuration conf = cluster.hadoopConf();
    if (local) {
      ShortCircuit.conf().forEach(conf::set);
      // Keep no replica's file open in this process, or its disk cannot be unmounted.
      conf.set("dfs.client.context", "short-circuit");
      conf.set("dfs.client.read.shortcircuit.streams.cache.size", "0");
      conf.set("dfs.client.read.shortcircuit.buffer.size", "65536");
    } else {
      conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    }
    return FileSystem.newInstance(conf);
  }

  private static java.nio.file.Path socket() throws IOException {
    String port = Integer.toString(dataNode.port("data"));
    return java.nio.file.Path.of(
        TurnSocket.path(ShortCircuit.directory().resolve(port).toString()));
  }

  private static void awaitSocket(boolean there) {
    await("socket there: " + there).atMost(PATIENCE).until(() -> Files.exists(socket()) == there);
  }

  private static VolumeReport volume() throws IOException {
    return VolumeReport.of(cluster, dataNode);
  }

  private static long metric(String name) throws IOException {
    return Clusters.dataNodes(cluster, name);
  }

  private static void reconfigure(String key, String value) throws Exception {
    String status = DiskTimeIT.reconfigure(cluster, key, value);
    assertTrue(status.contains("SUCCESS"), status);
  }

  private static void scan(FileSystem fs, int stream, Done done, AtomicBoolean end)
      throws IOException {
    byte[] buffer = new byte[64 * 1024];
    while (!end.get()) {
      try (FSDataInputStream in = fs.open(stream(stream))) {
        int n = 0;
        while (n >= 0 && !end.get()) {
          n = in.read(buffer);
          done.streamBytes.addAndGet(stream, Math.max(0, n));
        }
      }
    }
  }

  private static void get(FileSystem fs, IoPriority priority, Done done, AtomicBoolean end)
      throws IOException {
    byte[] buffer = new byte[GET_BYTES];
    try (FSDataInputStream in = fs.open(GETS)) {
      while (!end.get()) {
        long position = ThreadLocalRandom.current().nextLong(GETS_MIB * 16L) * (MIB / 16);
        long begin = System.nanoTime();
        PriorityReads.readFully(in, position, buffer, 0, GET_BYTES, priority);
        done.getNanos.addAndGet(System.nanoTime() - begin);
        done.gets.incrementAndGet();
      }
    }
  }

  /** Streams, the first of them by short circuit, and Gets by short circuit; all from the disk. */
  private static Done load(int localStreams, int streams, boolean gets) throws Exception {
    cluster.evictPageCache();
    Done done = new Done();
    AtomicBoolean end = new AtomicBoolean();
    ExecutorService readers = Executors.newFixedThreadPool(streams + 1);
    try (FileSystem local = fileSystem(true);
        FileSystem remote = fileSystem(false)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < streams; i++) {
        int stream = i;
        running.add(
            readers.submit(
                () -> {
                  scan(stream < localStreams ? local : remote, stream, done, end);
                  return null;
                }));
      }
      if (gets) {
        running.add(
            readers.submit(
                () -> {
                  get(local, RT3, done, end);
                  return null;
                }));
      }
      Thread.sleep(RAMP_MILLIS + LOAD_MILLIS);
      end.set(true);
      for (Future<?> reader : running) {
        reader.get(1, TimeUnit.MINUTES);
      }
    } finally {
      readers.shutdownNow();
    }

    return done;
  }

  private static void assertEachHasItsPart(Done done) {
    long all = 0;
    for (int i = 0; i < STREAMS; i++) {
      all += done.streamBytes.get(i);
    }
    for (int i = 0; i < STREAMS; i++) {
      assertTrue(done.streamBytes.get(i) > all / STREAMS / 3, "" + done);
    }
  }

  @Test
  void streamsByShortCircuitAndThroughTheDataNodeTakeTurns() throws Exception {
    final long turns = volume().turns();
    final long local = metric("LocalReads");
    final long unasked = PriorityMetrics.LOCAL_UNASKED.sum();
    Done done = load(2, STREAMS, false);
    assertEachHasItsPart(done);
    long taken = volume().turns() - turns;
    assertTrue(taken > 3 * STREAMS, done + ", turns: " + taken);
    long asked = metric("LocalReads") - local;
    long bytes = done.streamBytes.get(0) + done.streamBytes.get(1);
    // A client asks when less than 1 MiB is in the page cache before it, and may then read 64 KiB.
    assertTrue(asked > bytes >> 21 && asked < bytes / 65536 * 2, done + ", asked: " + asked);
    assertEquals(unasked, PriorityMetrics.LOCAL_UNASKED.sum());
    assertEquals(0, metric("LocalRefused"));
    assertEquals(0, metric("Failed"));
  }

  @Test
  void realtimeGetsByShortCircuitAreFastBesideStreamsByShortCircuit() throws Exception {
    long millis = volume().realtimeMillis();
    Done done = load(STREAMS, STREAMS, true);
    assertEachHasItsPart(done);
    assertTrue(volume().realtimeMillis() > millis, "real-time is charged");
    // With 4 streams at the disk a stock Get takes over 100 ms, alone it takes 11.
    assertTrue(done.meanMillis() < 45, "" + done);
  }

  @Test
  void aKilledReaderHoldsNobodyBack() throws Exception {
    cluster.evictPageCache();
    List<Process> readers = new ArrayList<>();
    AtomicBoolean end = new AtomicBoolean();
    AtomicLong longest = new AtomicLong();
    AtomicBoolean counts = new AtomicBoolean();
    ExecutorService own = Executors.newSingleThreadExecutor();
    long lost = volume().lostReads();
    try (FileSystem fs = fileSystem(false)) {
      for (int i = 0; i < 2; i++) {
        readers.add(reader(i));
      }
      final Future<?> stream =
          own.submit(
              () -> {
                gaps(fs, counts, longest, end);
                return null;
              });
      Thread.sleep(RAMP_MILLIS);
      counts.set(true);
      for (Process reader : readers) {
        Thread.sleep(LOAD_MILLIS / 3);
        // kill -9. The reader is in its turn, or waits for it.
        reader.destroyForcibly().waitFor();
      }
      Thread.sleep(LOAD_MILLIS / 2);
      end.set(true);
      stream.get(1, TimeUnit.MINUTES);
    } finally {
      readers.forEach(Process::destroyForcibly);
      own.shutdownNow();
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(longest.get());

    assertTrue(millis > 0 && millis < 1_000, "the longest wait of the other stream: " + millis);
    assertEquals(lost, volume().lostReads());
  }

  /** A process that reads a stream by short circuit, once it does. */
  private static Process reader(int stream) throws Exception {
    List<String> options = new ArrayList<>();
    ShortCircuit.conf().forEach((key, value) -> options.add(key + "=" + value));
    Process process =
        cluster
            .client(
                StreamMain.class.getName(),
                (stream(stream) + " " + String.join(" ", options)).split(" "))
            .addClassPath(TestClasses.directory())
            .toProcessBuilder()
            .redirectErrorStream(true)
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    String line = out.readLine();
    while (line != null && !line.equals(StreamMain.READS)) {
      said.append(line).append('\n');
      line = out.readLine();
    }
    assertTrue(line != null, said::toString);
    return process;
  }

  /** Reads a stream, and remembers its longest wait while that counts. */
  private static void gaps(
      FileSystem fs, AtomicBoolean counts, AtomicLong longest, AtomicBoolean end)
      throws IOException {
    byte[] buffer = new byte[64 * 1024];
    while (!end.get()) {
      try (FSDataInputStream in = fs.open(stream(STREAMS - 1))) {
        int n = 0;
        while (n >= 0 && !end.get()) {
          long begin = System.nanoTime();
          n = in.read(buffer);
          if (counts.get()) {
            longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
          }
        }
      }
    }
  }

  private static void assertReadsByShortCircuit(FileSystem fs) throws IOException {
    byte[] expected = new byte[MIB];
    byte[] actual = new byte[MIB];
    try (FSDataInputStream in = fs.open(GETS);
        FileSystem remote = fileSystem(false);
        FSDataInputStream other = remote.open(GETS)) {
      in.readFully(0, actual);
      other.readFully(0, expected);
      assertTrue(Arrays.equals(expected, actual), "the bytes are those of the file");
      assertEquals(
          MIB, ((HdfsDataInputStream) in).getReadStatistics().getTotalShortCircuitBytesRead());
    }
  }

  /** The last one: this process looks again for the socket only after some seconds. */
  @Test
  @Order(Integer.MAX_VALUE)
  void withoutTurnsNobodyWaits() throws Exception {
    final long unasked = PriorityMetrics.LOCAL_UNASKED.sum();
    try (FileSystem fs = fileSystem(true)) {
      for (String mode : List.of("off", "order")) {
        cluster.evictPageCache();
        assertReadsByShortCircuit(fs);
        long local = metric("LocalReads");
        assertTrue(local > 0, "in mode turns it is asked");

        reconfigure(SchedulerKeys.MODE.name(), mode);
        // Who reads a volume that is off asks to know it.
        awaitSocket(mode.equals("off"));
        cluster.evictPageCache();
        assertReadsByShortCircuit(fs);
        assertEquals(local, metric("LocalReads"), mode);

        reconfigure(SchedulerKeys.MODE.name(), "turns");
        awaitSocket(true);
      }
      reconfigure(SchedulerKeys.LOCAL.name(), "false");
      awaitSocket(false);
      reconfigure(SchedulerKeys.LOCAL.name(), "true");
      awaitSocket(true);
    } finally {
      DiskTimeIT.reconfigure(cluster, SchedulerKeys.MODE.name(), "turns");
      DiskTimeIT.reconfigure(cluster, SchedulerKeys.LOCAL.name(), "true");
    }
    assertEquals(unasked, PriorityMetrics.LOCAL_UNASKED.sum(), "nothing has failed");
  }

  /** A request for the beginning of a file, as a client sends it. */
  private static TurnRequest enter(FileSystem fs, Path file, int bytes, boolean cacheNotSeen)
      throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      ExtendedBlock block = ((HdfsDataInputStream) in).getAllBlocks().get(0).getBlock();
      return TurnRequest.enter(
          block.getBlockPoolId(),
          block.getBlockId(),
          block.getGenerationStamp(),
          0,
          bytes,
          bytes,
          Hint.NOTHING,
          "raw",
          cacheNotSeen);
    }
  }

  private static TurnAnswer ask(DomainSocket connection, TurnRequest request) throws IOException {
    request.writeTo(connection.getOutputStream());
    return TurnAnswer.read(connection.getInputStream());
  }

  /**
   * As newer kernels tell only the owner of a file, a RegionServer of another user may not look.
   */
  @Test
  void theDataNodeLooksForClientsThatMayNotLookIntoThePageCache() throws Exception {
    cluster.evictPageCache();
    try (FileSystem fs = fileSystem(true)) {
      // By short circuit only: what the other clients here read leaves the page cache.
      try (FSDataInputStream in = fs.open(GETS)) {
        in.readFully(0, new byte[MIB]);
      }
      List<TurnAnswer> answers =
          answersBesideATurn(
              enter(fs, stream(0), MIB, false),
              enter(fs, GETS, 65536, true),
              enter(fs, GETS, 65536, false),
              enter(fs, stream(1), 65536, true));
      assertEquals(65536, answers.get(0).bytes(), "in the page cache");
      assertTrue(answers.get(1).isWait(), "the client has looked");
      assertTrue(answers.get(2).isWait(), "on the disk");
    }
  }

  /** What the DataNode answers at once to others while one has a turn. */
  private static List<TurnAnswer> answersBesideATurn(TurnRequest first, TurnRequest... others)
      throws IOException {
    for (int tries = 1; ; tries++) {
      long lost = metric("LocalLost");
      List<TurnAnswer> answers = new ArrayList<>();
      List<DomainSocket> connections = new ArrayList<>();
      try {
        for (int i = 0; i <= others.length; i++) {
          connections.add(DomainSocket.connect(socket().toString()));
        }
        DomainSocket holder = connections.get(0);
        TurnAnswer turn = ask(holder, first);
        // For those of the try before.
        turn = turn.isWait() ? TurnAnswer.read(holder.getInputStream()) : turn;
        assertEquals(512 << 10, turn.bytes());
        for (int i = 0; i < others.length; i++) {
          answers.add(ask(connections.get(i + 1), others[i]));
        }
      } finally {
        for (DomainSocket connection : connections) {
          connection.close();
        }
      }
      // The holder is silent, and a test that is too slow finds its turn taken away.
      if (metric("LocalLost") == lost) {
        return answers;
      }
      assertTrue(tries < MAX_TRIES, "each turn was lost");
    }
  }

  @Test
  void thePolicyDecidesAboutTheUserThatTheKernelKnows() throws Exception {
    java.nio.file.Path policy = ShortCircuit.directory().resolve("policy.xml");
    String user = System.getProperty("user.name");
    try {
      reconfigure(DataNodeKeys.HIGHEST.name(), "be:0");
      long clamped = metric("Clamped");
      long granted = metric("GrantedRealtime");
      assertTrue(load(0, 0, true).gets.get() > 0);
      assertTrue(metric("Clamped") > clamped);
      assertEquals(granted, metric("GrantedRealtime"), "capped");

      Files.writeString(
          policy,
          "<io-priority-policy><rule user='" + user + "' highest='rt:2'/></io-priority-policy>");
      reconfigure(DataNodeKeys.POLICY_FILE.name(), policy.toString());
      clamped = metric("Clamped");
      assertTrue(load(0, 0, true).gets.get() > 0);
      assertTrue(metric("GrantedRealtime") > granted, "the rule for this user, without a token");
      assertEquals(clamped, metric("Clamped"));
    } finally {
      DiskTimeIT.reconfigure(cluster, DataNodeKeys.POLICY_FILE.name(), "");
      DiskTimeIT.reconfigure(cluster, DataNodeKeys.HIGHEST.name(), "rt:0");
    }
  }
}
