// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.hadoopprio.lab.it.Clusters.MIB;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.PriorityReads;
import org.hadoopprio.lab.cluster.LocalCluster;

/** Readers and writers of some users, which go on until they are told to end. */
final class TenantLoad implements AutoCloseable {

  /** Each stream has a file of its own. */
  static final int STREAMS = Scale.TENANT_STREAMS.value();

  static final int FILE_MIB = Math.min(128, 1536 / (STREAMS + 1));

  /** Until a load is as it will be. */
  static final long RAMP_MILLIS = 2_000;

  /** For how long it is looked at from then on. */
  static final long MILLIS = TimeUnit.SECONDS.toMillis(Scale.TENANT_SECONDS.value());

  private static final int WRITTEN_BYTES = 16 << 20;
  private static final int GET_BYTES = 56 << 10;

  private final LocalCluster cluster;
  private final AtomicBoolean end = new AtomicBoolean();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();

  /** What the streams have read. */
  private final AtomicLong bytes = new AtomicLong();

  TenantLoad(LocalCluster cluster) {
    this.cluster = cluster;
  }

  static Path file(int i) {
    return new Path("/file" + i);
  }

  /** Opens the cluster's file system for a user whose client has these keys besides. */
  static FileSystem fileSystem(LocalCluster cluster, String user, Map<String, String> keys)
      throws IOException, InterruptedException {
    Configuration conf = cluster.hadoopConf();
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    keys.forEach(conf::set);
    return FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf, user);
  }

  private void start(Callable<Void> reader) {
    running.add(threads.submit(reader));
  }

  /** Streams of a user, each of its own file. */
  TenantLoad streams(String user, int first, int count) {
    return streams(user, Map.of(), first, count);
  }

  /** The same of a user whose client has these keys besides. */
  TenantLoad streams(String user, Map<String, String> keys, int first, int count) {
    for (int i = first; i < first + count; i++) {
      Path file = file(i);
      start(
          () -> {
            try (FileSystem fs = fileSystem(cluster, user, keys)) {
              scan(fs, file);
            }
            return null;
          });
    }
    return this;
  }

  private void scan(FileSystem fs, Path file) throws IOException {
    byte[] buffer = new byte[64 * 1024];
    while (!end.get()) {
      try (FSDataInputStream in = fs.open(file)) {
        int n = 0;
        while (n >= 0 && !end.get()) {
          n = in.read(buffer);
          bytes.addAndGet(Math.max(0, n));
        }
      }
    }
  }

  /** Writers of files that are on the disk when they are closed. */
  TenantLoad writers(String user, int count) {
    for (int i = 0; i < count; i++) {
      Path file = new Path("/user/" + user + "/written" + i);
      start(
          () -> {
            try (FileSystem fs = fileSystem(cluster, user, Map.of())) {
              while (!end.get()) {
                try (OutputStream out = fs.create(file, true)) {
                  out.write(new byte[WRITTEN_BYTES]);
                }
              }
            }
            return null;
          });
    }
    return this;
  }

  /** What the streams read in a second, in MB. */
  double megabytes() throws InterruptedException {
    Thread.sleep(RAMP_MILLIS);
    long before = bytes.get();
    long begun = System.nanoTime();
    Thread.sleep(MILLIS);
    return (bytes.get() - before) * 1e3 / (System.nanoTime() - begun);
  }

  /** Real-time readers of a user, of which each asks again as soon as it has its answer. */
  TenantLoad realtime(String user, int count) {
    for (int i = 0; i < count; i++) {
      start(
          () -> {
            try (FileSystem fs = fileSystem(cluster, user, Map.of())) {
              while (!end.get()) {
                getMillis(fs);
              }
            }
            return null;
          });
    }
    return this;
  }

  @Override
  public void close() throws Exception {
    end.set(true);
    for (Future<?> reader : running) {
      reader.get(2, TimeUnit.MINUTES);
    }
    threads.shutdownNow();
  }

  /** How long a real-time read takes, in milliseconds. */
  static double getMillis(FileSystem fs) throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    byte[] buffer = new byte[GET_BYTES];
    try (FSDataInputStream in = fs.open(file(random.nextInt(STREAMS + 1)))) {
      long position = random.nextLong(FILE_MIB * 16L) * (MIB / 16);
      long begun = System.nanoTime();
      PriorityReads.readFully(in, position, buffer, 0, GET_BYTES, IoPriority.realtime(0));
      return (System.nanoTime() - begun) / 1e6;
    }
  }
}
