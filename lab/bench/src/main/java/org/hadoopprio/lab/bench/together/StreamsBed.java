// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.together;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.drives.Drives;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.workload.MeasuredClient;
import org.hadoopprio.lab.workload.StreamFiles;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;

/**
 * A cluster with one DataNode on one virtual disk, files of streams on it, and a client that is
 * measured beside the streams. Not thread-safe, except that {@link #close} may be called by another
 * thread.
 */
final class StreamsBed implements Closeable {

  static final int STREAMS = 16;
  static final String DIRECTORY = "/streams";

  /** What a measurement takes beside the measured time, about. */
  static final int EXTRA_SECONDS = 9;

  static final long ALL_STREAM_BYTES = STREAMS * (128L << 20);

  /** From the begin of the client until it and the streams are in full swing. */
  private static final int RAMP_SECONDS = 4;

  private static final double BYTES_PER_MB = 1e6;

  private final LocalCluster cluster;
  private final Drives drives;
  private final Path logs;
  private int measurements;

  StreamsBed(LocalCluster cluster) throws IOException {
    this.cluster = cluster;
    this.drives = new Drives(cluster);
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("clients"));
  }

  /**
   * A cluster whose disk has room for the streams' files and more.
   *
   * @param directory the cluster's
   * @param moreBytes beside the streams' files
   */
  static ClusterBuilder cluster(Path directory, long moreBytes) throws IOException {
    return LocalCluster.builder(directory)
        .yarn(false)
        .dataNodes(1)
        .disk(DiskKind.VIRTUAL)
        // What the file system and HDFS keep free.
        .diskBytes((ALL_STREAM_BYTES + moreBytes) * 9 / 8)
        // By default HDFS leaves a GiB of a volume unused; here the whole volume is needed.
        .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
        .littlePageCache()
        .stopAtExit(true)
        .progress(Progress.silent());
  }

  LocalCluster cluster() {
    return cluster;
  }

  Drives drives() {
    return drives;
  }

  /** Where the logs of clients go. */
  Path logs() {
    return logs;
  }

  /** A number that each measurement has for itself, from 1. */
  int measurements() {
    return measurements;
  }

  /** Writes the files of the streams. */
  void writeStreams(FileSystem fs, StepLog log) throws IOException {
    log.say("writing files of streams, " + (ALL_STREAM_BYTES >> 20) + " MiB");
    StreamFiles.write(
        fs,
        new org.apache.hadoop.fs.Path(DIRECTORY),
        0,
        STREAMS,
        ALL_STREAM_BYTES / STREAMS,
        progress(log, ALL_STREAM_BYTES, "bytes"));
  }

  static LongConsumer progress(StepLog log, long all, String what) {
    return done -> log.at((double) done / all, done + " of " + all + " " + what);
  }

  /** Makes the DataNode ready for a measurement, with nothing in its page cache. */
  void prepare(SchedulerMode mode) throws IOException {
    measurements++;
    Daemon dataNode = cluster.daemon(Role.DATANODE);
    cluster.reconfigure(
        dataNode, options -> options.conf(SchedulerKeys.MODE.name(), mode.toString()));
    VolumeMode.of(cluster, dataNode).requireInForce(mode);
    cluster.evictPageCache();
  }

  /**
   * Measures a client beside the streams, or one that has streams of its own.
   *
   * @param seconds how long the client measures, as its command says
   * @param ownStreams whether the client reads the streams and reports {@code streams_mb_per_s}
   * @return {@code client} is what it reports; {@code streams_mb_per_s}; {@code mb_per_s} of both
   *     together; {@code gate}, {@code drives} and {@code commands}
   */
  ObjectNode measure(ClientCommand client, int seconds, boolean ownStreams) throws IOException {
    ObjectNode result = new ObjectMapper().createObjectNode();
    ArrayNode commands = result.putArray("commands");
    commands.add(client.toText());
    String id = "measurement-" + measurements;
    double streams;
    if (ownStreams) {
      try (MeasuredClient running = MeasuredClient.start("client", client, logs, id)) {
        measure(running, seconds, result);
      }
      streams = result.at("/client/streams_mb_per_s").asDouble();
    } else {
      ClientCommand readers =
          cluster.client(StreamReaders.class, StreamLoad.arguments(DIRECTORY, STREAMS)).stock();
      commands.add(readers.toText());
      try (MeasuredClient running = MeasuredClient.start("client", client, logs, id);
          StreamLoad load = StreamLoad.start(readers, logs.resolve(id + "-streams.log"))) {
        long from = measure(running, seconds, result);
        load.requireAlive();
        streams = load.bytesPerSecond(from, from + seconds * 1000L) / BYTES_PER_MB;
      }
    }
    result.put("streams_mb_per_s", streams);
    result.put("mb_per_s", streams + result.at("/client/mb_per_s").asDouble());
    Drives.allowLatenessToClient(result, result.at("/client/p99_ms").asDouble());
    return result;
  }

  /** Returns when measuring has begun, in milliseconds since the epoch. */
  private long measure(MeasuredClient client, int seconds, ObjectNode result) throws IOException {
    long from = client.begin(RAMP_SECONDS);
    client.awaitTime(from);
    drives.resetStats();
    client.awaitTime(from + seconds * 1000L);
    drives.addTo(result);
    result.set("client", client.result());
    return from;
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
