// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.lab.bench.bed.Evictor;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.MeasuredClient;
import org.hadoopprio.lab.workload.RandomReaders;
import org.hadoopprio.lab.workload.SequentialReaders;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;
import org.hadoopprio.lab.workload.StreamWriters;

/**
 * The client processes of a measurement: one whose latency is measured, and groups of streams. For
 * one use. Not thread-safe.
 */
final class StarvationClients implements Closeable {

  /** What HBase reads for a Get with blocks of 56 KiB. */
  static final int READ_BYTES = 56 << 10;

  /** The files of the measured client. */
  static final String REALTIME = "/realtime";

  /** Of each file that is written again and again while others read. */
  static final long WRITTEN_FILE_BYTES = 256L << 20;

  /** From the begin of reading until both clients read steadily. */
  private static final int RAMP_SECONDS = 4;

  private static final long POLL_MS = 200;
  private static final double BYTES_PER_MB = 1e6;

  private final LocalCluster cluster;
  private final Path logs;
  private final String id;
  private final List<String> commands = new ArrayList<>();
  private final List<StreamLoad> streams = new ArrayList<>();
  private MeasuredClient client;

  /**
   * None yet.
   *
   * @param logs the directory of their logs
   * @param id the begin of these files' names
   */
  StarvationClients(LocalCluster cluster, Path logs, String id) {
    this.cluster = cluster;
    this.logs = logs;
    this.id = id;
  }

  /**
   * Starts the process whose latency is measured; {@link #beginReading} waits until it is ready.
   */
  void startClient(Measurement measurement, int seconds) throws IOException {
    ClientLoad load = measurement.load();
    boolean sequential = load.kind() == ClientLoad.Kind.SEQUENTIAL;
    List<String> arguments = new ArrayList<>();
    Collections.addAll(
        arguments,
        "--directory=" + REALTIME,
        "--length=" + READ_BYTES,
        "--seconds=" + seconds,
        "--threads=" + load.amount());
    if (sequential) {
      arguments.add("--drop-behind");
    }
    Class<?> main = sequential ? SequentialReaders.class : RandomReaders.class;
    Optional<String> priority = measurement.system().priority();
    client = MeasuredClient.start(load.label(), command(main, priority, arguments), logs, id);
  }

  /**
   * Returns when the streams read or write.
   *
   * @param evictor is told of each file that was read to its end, so that a stream which is far
   *     ahead of others does not read its file from the page cache from then on
   */
  void startStreams(BackgroundStreams.Group group, Evictor evictor) throws IOException {
    List<String> arguments = new ArrayList<>();
    if (group.isWriting()) {
      Collections.addAll(
          arguments,
          group.directory(),
          Integer.toString(group.streams()),
          Long.toString(WRITTEN_FILE_BYTES));
    } else {
      if (cluster.hasLittlePageCache()) {
        // New data replace older data in the page cache, in the same pages.
        Collections.addAll(arguments, "-D", "dfs.client.cache.drop.behind.reads=false");
      }
      Collections.addAll(arguments, StreamLoad.arguments(group.directory(), group.streams()));
    }
    Class<?> main = group.isWriting() ? StreamWriters.class : StreamReaders.class;
    streams.add(
        StreamLoad.start(
            command(main, group.priority(), arguments).toProcessBuilder(),
            logs.resolve(id + "-streams" + streams.size() + ".log"),
            evictor::finished));
  }

  private ClientCommand command(Class<?> main, Optional<String> priority, List<String> arguments)
      throws IOException {
    ClientCommand command = cluster.client(main, arguments.toArray(new String[0]));
    priority.ifPresent(stated -> command.env(CurrentPriority.ENVIRONMENT_VARIABLE, stated));
    commands.add(command.toText());
    return command;
  }

  /**
   * Waits until all clients are ready, and lets the measured client read from now on.
   *
   * @return when measuring begins, in milliseconds since the epoch
   */
  long beginReading() throws IOException {
    return client != null
        ? client.begin(RAMP_SECONDS)
        : System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(RAMP_SECONDS);
  }

  /** Waits until a time of day, and fails as soon as a client does. */
  void awaitTime(long millis) throws IOException {
    for (long left = millis - System.currentTimeMillis();
        left > 0;
        left = millis - System.currentTimeMillis()) {
      requireStreams();
      Pauses.sleep(Math.min(left, POLL_MS), "interrupted while clients read");
      if (client != null && left > POLL_MS) {
        client.requireAlive();
      }
    }
  }

  /** Adds {@code realtime}, {@code background} and {@code commands}. */
  void addResults(ObjectNode result, long from, long to) throws IOException {
    if (!streams.isEmpty()) {
      requireStreams();
      addStreams(result.putObject("background"), from, to);
    }
    if (client != null) {
      result.set("realtime", client.result());
    }
    ArrayNode array = result.putArray("commands");
    commands.forEach(array::add);
  }

  private void requireStreams() throws IOException {
    for (StreamLoad load : streams) {
      load.requireAlive();
    }
  }

  private void addStreams(ObjectNode json, long from, long to) {
    double longestWait = 0;
    double sum = 0;
    ArrayNode groups = json.putArray("groups_mb_per_s");
    for (StreamLoad group : streams) {
      double rate = group.bytesPerSecond(from, to) / BYTES_PER_MB;
      groups.add(rate);
      sum += rate;
      longestWait = Math.max(longestWait, group.longestWaitMillis(from, to));
    }
    json.put("mb_per_s", sum);
    json.put("longest_wait_ms", longestWait);
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
    streams.forEach(StreamLoad::close);
  }
}
