// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.late;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.drives.Drives;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.workload.MeasuredClient;
import org.hadoopprio.lab.workload.RandomReaders;
import org.hadoopprio.lab.workload.StreamFiles;

/**
 * Three DataNodes, each on its own disk, with all files on all of them. Not thread-safe, except
 * that {@link #close} may be called by another thread.
 */
final class LateBed implements Closeable {

  /** A disk does a third of them with ease. */
  static final int READS_PER_SECOND = 30;

  /** What HBase reads for a Get with blocks of 56 KiB. */
  static final int READ_BYTES = 56 << 10;

  /** Enough for a disk's share of the reads of 10 s to hang. */
  static final int CLIENT_THREADS = 128;

  /** Each file is read from a DataNode of its own choice at first, so there are many. */
  static final int FILES = 48;

  private static final int DATA_NODES = 3;
  private static final long FILE_BYTES = 16L << 20;
  private static final long DISK_BYTES = 2 * FILES * FILE_BYTES;
  private static final String DIRECTORY = "/late";
  private static final int RAMP_SECONDS = 4;

  /** What a measurement takes beside the measured time, about. */
  static final int EXTRA_SECONDS = 9;

  private final LocalCluster cluster;
  private final Drives drives;
  private final Path logs;
  private final int seconds;
  private int measurements;
  private double p95Ms;

  private LateBed(LocalCluster cluster, int seconds) throws IOException {
    this.cluster = cluster;
    this.seconds = seconds;
    this.drives = new Drives(cluster);
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("clients"));
  }

  /**
   * Starts the cluster, writes the files, and measures how long reads take when nothing is wrong.
   *
   * @param directory the cluster's
   * @param seconds how long a measurement takes
   */
  static LateBed start(Path directory, int seconds, StepLog log) throws IOException {
    log.say("starting HDFS");
    LocalCluster cluster =
        LocalCluster.builder(directory)
            .hbase(false)
            .yarn(false)
            .dataNodes(DATA_NODES)
            .replication(DATA_NODES)
            .disk(DiskKind.VIRTUAL)
            .diskBytes(DISK_BYTES)
            .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
            .littlePageCache()
            .stopAtExit(true)
            .progress(Progress.silent())
            .start();
    LateBed bed;
    try {
      bed = new LateBed(cluster, seconds);
      bed.write(log);
      log.say("measuring reads when nothing is wrong");
      bed.p95Ms = bed.measure(Fault.NONE, LateSystem.STOCK).at("/client/p95_ms").asDouble();
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
    return bed;
  }

  private void write(StepLog log) throws IOException {
    log.say("writing files");
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      drives.fast(
          () ->
              StreamFiles.write(
                  fs,
                  new org.apache.hadoop.fs.Path(DIRECTORY),
                  0,
                  FILES,
                  FILE_BYTES,
                  bytes -> log.at((double) bytes / (FILES * FILE_BYTES), (bytes >> 20) + " MiB")));
    }
  }

  /**
   * Measures one combination.
   *
   * @return {@code client}, {@code disk_reads} for each of the client's, {@code hedge_ms}, {@code
   *     drives}, {@code refused}, {@code gate} and {@code commands}
   */
  ObjectNode measure(Fault fault, LateSystem system) throws IOException {
    measurements++;
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      cluster.reconfigure(
          dataNode, options -> options.conf(SchedulerKeys.MODE.name(), system.mode().toString()));
      VolumeMode.of(cluster, dataNode).requireInForce(system.mode());
    }
    cluster.evictPageCache();
    ClientCommand client = client(system);
    ObjectNode result = new ObjectMapper().createObjectNode();
    result.putArray("commands").add(client.toText());
    result.put("hedge_ms", p95Ms);
    long refused = refused();
    try (MeasuredClient running =
        MeasuredClient.start("client", client, logs, "measurement-" + measurements)) {
      long from = running.begin(RAMP_SECONDS);
      long to = from + TimeUnit.SECONDS.toMillis(seconds);
      running.awaitTime(from);
      drives.resetStats();
      begin(fault);
      running.awaitTime(to);
      drives.addTo(result);
      end(fault);
      if (fault == Fault.HUNG) {
        Drives.allowSilence(result, cluster.disks().get(0).directory().getFileName().toString());
      }
      JsonNode figures = running.result();
      result.set("client", figures);
      result.put("disk_reads", (double) diskReads(result) / figures.path("reads").asLong());
      result.put("refused", refused() - refused);
      Drives.allowLatenessToClient(result, figures.path("p99_ms").asDouble());
    }
    return result;
  }

  private ClientCommand client(LateSystem system) throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--directory=" + DIRECTORY,
                "--length=" + READ_BYTES,
                "--rate=" + READS_PER_SECOND,
                "--threads=" + CLIENT_THREADS,
                "--seed=" + measurements,
                "--seconds=" + seconds));
    options.addAll(system.options(p95Ms, CLIENT_THREADS));
    ClientCommand client = cluster.client(RandomReaders.class, options.toArray(String[]::new));
    return system == LateSystem.TARGETS ? client : client.agentClassesOnly();
  }

  private void begin(Fault fault) throws IOException {
    drive().set(Map.of("overhead_ns", fault.overhead()));
  }

  /** A drive that hangs answers the command that it has begun with only while it is loaded. */
  private void end(Fault fault) throws IOException {
    begin(Fault.NONE);
    if (fault == Fault.HUNG) {
      drive().loading(true);
      drive().loading(false);
    }
  }

  private Vhdd drive() throws IOException {
    return ((VirtualDisk) cluster.disks().get(0)).vhdd();
  }

  private static long diskReads(JsonNode result) {
    long reads = 0;
    for (JsonNode drive : result.path("drives")) {
      for (JsonNode ioClass : drive.path("classes")) {
        if (ioClass.path("operation").asText().equals("read")) {
          reads += ioClass.path("count").asLong();
        }
      }
    }
    return reads;
  }

  private long refused() throws IOException {
    long sum = 0;
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      sum += cluster.jmx(dataNode, PriorityMBean.OBJECT_NAME).path(0).path("Refused").asLong();
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
