// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.bed.BlockFiles;
import org.hadoopprio.lab.bench.bed.Drives;
import org.hadoopprio.lab.bench.bed.Evictor;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.workload.StreamFiles;

/**
 * A NameNode, a DataNode on one disk, and files to read. Settings change between measurements while
 * the DataNode runs. Not thread-safe, except that {@link #close} may be called by another thread.
 */
final class StarvationBed implements Closeable {

  /**
   * Streams leave what they have read in the page cache, so it must hold that and up to a turn of
   * each of 16 streams that is read ahead.
   */
  private static final int DATA_NODE_MB = 1024;

  /** What a measurement takes beside the measured time, about. */
  static final int EXTRA_SECONDS = 8;

  private static final long MIB = 1 << 20;

  private static final int STREAM_FILES = 16;

  /**
   * Six for each of two streams: a stream that BFQ favours after its start (it raises the weight of
   * new queues) must not come round to files that are still in the page cache.
   */
  private static final int OTHER_STREAM_FILES = 12;

  /** As much as a DataNode with little page cache can have in it. */
  private static final int FILLER_FILES = 4;

  private static final long FILE_BYTES = 128 * MIB;

  /** One for each sequential reader. Together they are a multiple of that page cache. */
  private static final int REALTIME_FILES = 128;

  private static final long REALTIME_FILE_BYTES = 16 * MIB;

  /** Two of each of four writers: HDFS deletes the one before while the next is written. */
  private static final long WRITTEN_BYTES = 2 * 4 * StarvationClients.WRITTEN_FILE_BYTES;

  private static final long ALL_BYTES =
      (STREAM_FILES + OTHER_STREAM_FILES + FILLER_FILES) * FILE_BYTES
          + REALTIME_FILES * REALTIME_FILE_BYTES;

  /**
   * The files and what the file system and HDFS keep free, so that the reads go over nearly the
   * whole of the disk.
   */
  private static final long DISK_BYTES = (ALL_BYTES + WRITTEN_BYTES) * 9 / 8;

  private static final String FILLER = "/filler";

  private final LocalCluster cluster;
  private final Drives drives;
  private final Path logs;
  private final Map<String, Set<Path>> streamBlocks;
  private long measurements;

  private StarvationBed(LocalCluster cluster, StepLog log) throws IOException {
    this.cluster = cluster;
    this.drives = new Drives(cluster);
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("clients"));
    try (FileSystem fs = FileSystem.newInstance(cluster.writerConf())) {
      drives.fast(() -> writeFiles(new FileWriter(fs, log)));
    }
    this.streamBlocks =
        BlockFiles.byFile(cluster, BackgroundStreams.FILES, BackgroundStreams.OTHER_FILES);
  }

  /**
   * Starts the cluster and writes the files.
   *
   * @param directory the cluster's
   */
  static StarvationBed start(Path directory, StepLog log) throws IOException {
    return BedClusters.start(
        BedClusters.hdfs(directory, DiskKind.VIRTUAL, 1, DISK_BYTES).littlePageCache(DATA_NODE_MB),
        cluster -> new StarvationBed(cluster, log));
  }

  /** What makes measurements comparable. */
  static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("disk", DiskKind.VIRTUAL.toString());
    settings.put(ReadAhead.SETTING, Integer.toString(ReadAhead.byDefault().kib()));
    settings.put("read-bytes", Integer.toString(StarvationClients.READ_BYTES));
    settings.put("file-bytes", Long.toString(FILE_BYTES));
    settings.put("realtime-file-bytes", Long.toString(REALTIME_FILE_BYTES));
    settings.put("disk-bytes", Long.toString(DISK_BYTES));
    settings.put("realtime-priority", ReaderSystem.REALTIME);
    return settings;
  }

  /**
   * Files of both groups of streams lie in the middle, so that both cross the same tracks, and the
   * real-time files on both sides of them, so that reads cross the whole disk.
   */
  private static void writeFiles(FileWriter writer) throws IOException {
    int half = REALTIME_FILES / 2;
    writer.write(StarvationClients.REALTIME + "/0", 0, half, REALTIME_FILE_BYTES);
    writer.write(BackgroundStreams.FILES, 0, STREAM_FILES / 2, FILE_BYTES);
    writer.write(BackgroundStreams.OTHER_FILES, 0, OTHER_STREAM_FILES, FILE_BYTES);
    writer.write(BackgroundStreams.FILES, STREAM_FILES / 2, STREAM_FILES / 2, FILE_BYTES);
    writer.write(FILLER, 0, FILLER_FILES, FILE_BYTES);
    writer.write(StarvationClients.REALTIME + "/1", 0, half, REALTIME_FILE_BYTES);
  }

  /** Writes files and says how far it is. */
  private static final class FileWriter {

    private final FileSystem fs;
    private final StepLog log;
    private long before;

    FileWriter(FileSystem fs, StepLog log) {
      this.fs = fs;
      this.log = log;
    }

    void write(String directory, int first, int count, long bytesEach) throws IOException {
      StreamFiles.write(
          fs,
          new org.apache.hadoop.fs.Path(directory),
          first,
          count,
          bytesEach,
          bytes -> {
            long done = before + bytes;
            log.at((double) done / ALL_BYTES, done / MIB + " of " + ALL_BYTES / MIB + " MiB");
          });
      before += count * bytesEach;
    }
  }

  private Vhdd drive() throws IOException {
    return ((VirtualDisk) cluster.disks().get(0)).vhdd();
  }

  /**
   * Sets the block layer's scheduler.
   *
   * @throws IOException if this kernel has no such scheduler; the message names those it has
   */
  void scheduler(String name) throws IOException {
    drive().queue().scheduler(name);
  }

  /**
   * Measures one combination.
   *
   * @return fields {@code realtime} and {@code background} where there are such readers, {@code
   *     gate} and {@code drives} of the virtual disk, {@code datanode} (the increase of its
   *     counters), {@value ChargedBytes#FIELD}, and {@code commands}
   */
  ObjectNode measure(Measurement measurement, int seconds) throws IOException {
    configure(measurement);
    preparePageCache();
    ObjectNode result = new ObjectMapper().createObjectNode();
    String id = measurement + "-" + ++measurements;
    try (Evictor evictor = Evictor.start(Set.of(), streamBlocks);
        StarvationClients clients = new StarvationClients(cluster, logs, id)) {
      if (measurement.load().kind() != ClientLoad.Kind.NONE) {
        clients.startClient(measurement, seconds);
      }
      for (BackgroundStreams.Group group : measurement.background().groups()) {
        clients.startStreams(group, evictor);
      }
      long from = clients.beginReading();
      long to = from + TimeUnit.SECONDS.toMillis(seconds);
      clients.awaitTime(from);
      JsonNode before = dataNode();
      drives.resetStats();
      clients.awaitTime(to);
      drives.addTo(result);
      JsonNode after = dataNode();
      result.set("datanode", increase(before, after));
      new ChargedBytes(after).addTo(result, new ChargedBytes(before));
      clients.addResults(result, from, to);
      evictor.requireNoFailure();
      addDiskTime(result, measurement.background());
    }
    return result;
  }

  /**
   * Nothing of what is going to be read is in the page cache afterwards. Where the DataNode has
   * little of it, it is full, so that reads find pages that were in use a moment ago from the first
   * one on; see {@link LocalCluster#hasLittlePageCache}.
   */
  private void preparePageCache() throws IOException {
    cluster.evictPageCache();
    if (!cluster.hasLittlePageCache()) {
      return;
    }
    drive().loading(true);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      for (int i = 0; i < FILLER_FILES; i++) {
        try (InputStream in = fs.open(StreamFiles.file(new org.apache.hadoop.fs.Path(FILLER), i))) {
          in.transferTo(OutputStream.nullOutputStream());
        }
      }
    }
    drive().loading(false);
  }

  private void configure(Measurement measurement) throws IOException {
    ReaderSystem system = measurement.system();
    cluster.reconfigure(
        cluster.daemon(Role.DATANODE),
        options -> options.conf(SchedulerKeys.MODE.name(), system.mode().toString()));
    VolumeMode.of(cluster, cluster.daemon(Role.DATANODE)).requireInForce(system.mode());
    scheduler(measurement.scheduler());
  }

  private JsonNode dataNode() throws IOException {
    return cluster.jmx(cluster.daemon(Role.DATANODE), PriorityMBean.OBJECT_NAME).path(0);
  }

  private static ObjectNode increase(JsonNode before, JsonNode after) {
    ObjectNode increase = new ObjectMapper().createObjectNode();
    after
        .fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isIntegralNumber()) {
                long earlier = before.path(field.getKey()).asLong();
                increase.put(field.getKey(), field.getValue().asLong() - earlier);
              }
            });
    return increase;
  }

  /** What the drive spent on each of two groups; nothing where it does not see their priorities. */
  private static void addDiskTime(ObjectNode result, BackgroundStreams background) {
    JsonNode busy = result.at("/drives/0/priorities_busy");
    List<Double> parts = new ArrayList<>();
    for (BackgroundStreams.Group group : background.groups()) {
      group.priority().ifPresent(priority -> parts.add(busy.path(priority).asDouble()));
    }
    if (parts.size() == 2 && parts.get(0) > 0 && parts.get(1) > 0) {
      ObjectNode json = (ObjectNode) result.path("background");
      ArrayNode groups = json.putArray("groups_busy");
      parts.forEach(groups::add);
      json.put("disk_time_ratio", parts.get(0) / parts.get(1));
    }
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
