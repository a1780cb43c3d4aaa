// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeReport;
import org.junit.jupiter.api.Test;

/** Clients that die while their reads wait for a real DataNode's disk. */
class GoneClientsIT {

  private static final Path BUSY = new Path("/busy");
  private static final Path WANTED = new Path("/wanted");
  private static final int FILE_MIB = 128;
  private static final int STREAMS = 2;
  private static final int IDLE_READERS = 32;
  private static final long BLOCK_BYTES = 4 << 20;
  private static final byte[] IDLE = {8, 3};

  /** Without a look at the connections the last one waits for some 20 s. */
  private static final Duration MOST = Duration.ofSeconds(6);

  private static void scan(FileSystem fs, Path file, AtomicBoolean end) throws IOException {
    byte[] buffer = new byte[64 << 10];
    while (!end.get()) {
      try (FSDataInputStream in = fs.open(file)) {
        int read = 0;
        while (read >= 0 && !end.get()) {
          read = in.read(buffer);
        }
      }
    }
  }

  @Test
  void theirReadsWaitNoLongerAndNothingIsLogged() throws Exception {
    LocalCluster cluster = PlainDrive.of(GoneClientsIT.class).start();
    ExecutorService readers = Executors.newFixedThreadPool(STREAMS);
    AtomicBoolean end = new AtomicBoolean();
    Configuration conf = cluster.hadoopConf();
    conf.setLong("dfs.blocksize", BLOCK_BYTES);
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      Path[] busy = {new Path(BUSY + "0"), new Path(BUSY + "1")};
      PlainDrive.write(cluster, fs, Map.of(busy[0], FILE_MIB, busy[1], FILE_MIB, WANTED, FILE_MIB));
      List<Future<?>> running = new ArrayList<>();
      for (Path file : busy) {
        running.add(
            readers.submit(
                () -> {
                  scan(fs, file, end);
                  return null;
                }));
      }
      idleReadersDie(cluster, fs);
      end.set(true);
      for (Future<?> each : running) {
        each.get(1, TimeUnit.MINUTES);
      }
    } finally {
      end.set(true);
      readers.shutdownNow();
      cluster.stop();
    }
  }

  private static void idleReadersDie(LocalCluster cluster, FileSystem fs) throws Exception {
    List<LocatedBlock> blocks;
    try (FSDataInputStream in = fs.open(WANTED)) {
      blocks = ((HdfsDataInputStream) in).getAllBlocks();
    }
    assertEquals(IDLE_READERS, blocks.size());
    Daemon dataNode = cluster.daemon(Role.DATANODE);
    String before = Files.readString(dataNode.logFile());
    List<Socket> clients = new ArrayList<>();
    try {
      for (LocatedBlock block : blocks) {
        clients.add(RawRead.open(block, IDLE, (int) BLOCK_BYTES));
      }
      await("they wait")
          .atMost(Duration.ofMinutes(1))
          .until(() -> VolumeReport.of(cluster, dataNode).idleWaiting() >= IDLE_READERS / 2);
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
    long closed = System.nanoTime();
    await("none waits after its client has gone")
        .pollInterval(Duration.ofMillis(10))
        .atMost(MOST)
        .until(() -> VolumeReport.of(cluster, dataNode).idleWaiting() == 0);
    long millis = Duration.ofNanos(System.nanoTime() - closed).toMillis();
    System.err.printf("the last one has waited for %d ms%n", millis);
    String since = Files.readString(dataNode.logFile()).substring(before.length());
    assertEquals(
        List.of(),
        List.of(
            since
                .lines()
                .filter(line -> line.contains("DataXceiver") && isAlarm(line))
                .filter(line -> !isOfAnUnansweredClient(since, line))
                .toArray()),
        "of clients that are gone");
  }

  /** Stock HDFS logs that, too: the client was gone before its request was answered. */
  private static boolean isOfAnUnansweredClient(String log, String line) {
    int from = log.indexOf(line) + line.length();
    int traceEnds = log.indexOf("\n2", from);
    String trace = log.substring(from, traceEnds < 0 ? log.length() : traceEnds);
    return trace.contains("DataXceiver.writeSuccessWithChecksumInfo");
  }

  private static boolean isAlarm(String line) {
    return line.contains("ERROR") || line.contains("WARN");
  }
}
