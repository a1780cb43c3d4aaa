// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAccumulator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.junit.jupiter.api.Test;

/** Clients that wait for less than HDFS's default, beside streams that have most of the disk. */
class ReadTimeoutsIT {

  /** What is usual beside them are 4 s; without a limit by the time-out it is 24 s. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private static final Duration LOAD = Duration.ofSeconds(30);
  private static final int STREAMS = 8;
  private static final int IDLE_STREAMS = 6;
  private static final int FILE_MIB = 128;

  /** Of the calls of the application, which hides a time-out and one more try. */
  private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

  private final LongAccumulator leastIdleBytes = new LongAccumulator(Math::min, Long.MAX_VALUE);

  @Test
  void noReadTimesOutBesideStreams() throws Exception {
    LocalCluster cluster = PlainDrive.of(ReadTimeoutsIT.class).start();
    ExecutorService readers = Executors.newFixedThreadPool(STREAMS + IDLE_STREAMS);
    AtomicBoolean end = new AtomicBoolean();
    Configuration conf = cluster.hadoopConf();
    conf.setInt(
        HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, Math.toIntExact(TIMEOUT.toMillis()));
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      Map<Path, Integer> files = new LinkedHashMap<>();
      for (int i = 0; i < STREAMS + IDLE_STREAMS; i++) {
        files.put(new Path("/file" + i), FILE_MIB);
      }
      PlainDrive.write(cluster, fs, files);
      List<Future<?>> running = new ArrayList<>();
      for (Path file : files.keySet()) {
        boolean idle = running.size() >= STREAMS;
        running.add(
            readers.submit(
                () -> {
                  scan(fs, file, idle, end);
                  return null;
                }));
      }
      TimeUnit.MILLISECONDS.sleep(LOAD.toMillis());
      end.set(true);
      for (Future<?> each : running) {
        each.get(1, TimeUnit.MINUTES);
      }
    } finally {
      end.set(true);
      readers.shutdownNow();
      cluster.stop();
    }
    String figures =
        String.format(
            "longest call %d ms, slowest idle stream %d KiB",
            TimeUnit.NANOSECONDS.toMillis(longestNanos.get()), leastIdleBytes.get() >> 10);
    System.err.println(figures);
    assertTrue(longestNanos.get() < TIMEOUT.toNanos(), figures);
  }

  private void scan(FileSystem fs, Path file, boolean idle, AtomicBoolean end) throws IOException {
    byte[] buffer = new byte[64 << 10];
    long bytes = 0;
    try (PriorityScope scope = PriorityScope.open(idle ? IoPriority.IDLE : IoPriority.NONE)) {
      while (!end.get()) {
        try (FSDataInputStream in = fs.open(file)) {
          for (int n = 0; n >= 0 && !end.get(); bytes += n) {
            long begun = System.nanoTime();
            n = in.read(buffer);
            longestNanos.accumulate(System.nanoTime() - begun);
          }
        }
      }
    }
    if (idle) {
      leastIdleBytes.accumulate(bytes);
    }
  }
}
