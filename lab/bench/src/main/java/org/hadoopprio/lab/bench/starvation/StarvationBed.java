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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.workload.MeasuredClient;
import org.hadoopprio.lab.workload.Pauses;
import org.hadoopprio.lab.workload.RandomReaders;
import org.hadoopprio.lab.workload.ScanReaders;
import org.hadoopprio.lab.workload.SequentialReaders;
import org.hadoopprio.lab.workload.StreamFiles;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;
import org.hadoopprio.lab.workload.StreamWriters;

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

  /** What HBase reads for a Get with blocks of 56 KiB. */
  static final int READ_BYTES = 56 << 10;

  /** The most reads of an open loop that are under way at the same time. */
  private static final int OPEN_LOOP_THREADS = 64;

  /** From the begin of reading until both clients read steadily. */
  private static final int RAMP_SECONDS = 4;

  /** What a measurement takes beside the measured time, about. */
  static final int EXTRA_SECONDS = 8;

  /** About a block of HBase. */
  static final int SCAN_READ_BYTES = 64 << 10;

  private static final int SCAN_PAUSE_MS = 300;

  /** The places of scans are the same in each measurement. */
  private static final long SCAN_SEED = 1;

  private static final String PRIORITY_VARIABLE = "HADOOP_IO_PRIORITY";
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

  /** Of each file that is written again and again while others read. */
  static final long WRITTEN_FILE_BYTES = 256 * MIB;

  /** Two of each of four writers: HDFS deletes the one before while the next is written. */
  private static final long WRITTEN_BYTES = 2 * 4 * WRITTEN_FILE_BYTES;

  private static final long ALL_BYTES =
      (STREAM_FILES + OTHER_STREAM_FILES + FILLER_FILES) * FILE_BYTES
          + REALTIME_FILES * REALTIME_FILE_BYTES;

  /**
   * The files and what the file system and HDFS keep free, so that the reads go over nearly the
   * whole of the disk.
   */
  private static final long DISK_BYTES = (ALL_BYTES + WRITTEN_BYTES) * 9 / 8;

  private static final String REALTIME = "/realtime";
  private static final String FILLER = "/filler";
  private static final long POLL_MS = 200;
  private static final double BYTES_PER_MB = 1e6;
  private static final String INTERRUPTED = "interrupted while clients read";

  /** What of the drive's figures tells whether they can be trusted. */
  private static final List<String> GATE =
      List.of(
          "valid",
          "reasons",
          "priorities",
          "queue_max",
          "way_ms",
          "late_arrival_ms",
          "lateness_ms");

  private final LocalCluster cluster;
  private final Path logs;
  private long measurements;
  private double alonePerSecond;

  private StarvationBed(LocalCluster cluster) throws IOException {
    this.cluster = cluster;
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("clients"));
  }

  /**
   * Starts the cluster and writes the files.
   *
   * @param directory the cluster's
   */
  static StarvationBed start(Path directory, StepLog log) throws IOException {
    LocalCluster cluster =
        LocalCluster.builder(directory)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .disk(DiskKind.VIRTUAL)
            .diskBytes(DISK_BYTES)
            // By default HDFS leaves a GiB of a volume unused; here the whole volume is needed.
            .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
            .littlePageCache(DATA_NODE_MB)
            .stopAtExit(true)
            .progress(Progress.silent())
            .start();
    try {
      StarvationBed bed = new StarvationBed(cluster);
      bed.writeFiles(log);
      return bed;
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** What makes measurements comparable. */
  static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("disk", DiskKind.VIRTUAL.toString());
    settings.put("read-bytes", Integer.toString(READ_BYTES));
    settings.put("scan-read-bytes", Integer.toString(SCAN_READ_BYTES));
    settings.put("scan-pause-ms", Integer.toString(SCAN_PAUSE_MS));
    settings.put("file-bytes", Long.toString(FILE_BYTES));
    settings.put("realtime-file-bytes", Long.toString(REALTIME_FILE_BYTES));
    settings.put("disk-bytes", Long.toString(DISK_BYTES));
    settings.put("realtime-priority", ReaderSystem.REALTIME);
    return settings;
  }

  /** Files of both groups of streams lie in the middle, so that both cross the same tracks. */
  private void writeFiles(StepLog log) throws IOException {
    drive().loading(true);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      // Place the real-time files on both sides of the others, so that reads cross the whole disk.
      int half = REALTIME_FILES / 2;
      FileWriter writer = new FileWriter(fs, log);
      writer.write(REALTIME + "/0", 0, half, REALTIME_FILE_BYTES);
      writer.write(BackgroundStreams.FILES, 0, STREAM_FILES / 2, FILE_BYTES);
      writer.write(BackgroundStreams.OTHER_FILES, 0, OTHER_STREAM_FILES, FILE_BYTES);
      writer.write(BackgroundStreams.FILES, STREAM_FILES / 2, STREAM_FILES / 2, FILE_BYTES);
      writer.write(FILLER, 0, FILLER_FILES, FILE_BYTES);
      writer.write(REALTIME + "/1", 0, half, REALTIME_FILE_BYTES);
    }
    cluster.evictPageCache();
    drive().loading(false);
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
    drive().scheduler(name);
  }

  /**
   * Measures how many reads per second the disk does without other readers. The rates of open loops
   * are relative to that.
   *
   * @param threads enough to keep the drive's queue well filled
   */
  double measureAlone(int threads, int seconds) throws IOException {
    ClientLoad load = ClientLoad.of(ClientLoad.Kind.RANDOM, threads);
    ObjectNode alone =
        measure(Measurement.realtime(load, Drive.PLAIN, ReaderSystem.BOUND), seconds);
    alonePerSecond = alone.at("/realtime/reads_per_s").asDouble();
    return alonePerSecond;
  }

  /**
   * Measures one combination.
   *
   * @return fields {@code realtime}, {@code scan} and {@code background} where there are such
   *     readers, {@code gate} and {@code drive} of the virtual disk, {@code datanode} (the increase
   *     of its counters), and {@code commands}
   */
  ObjectNode measure(Measurement measurement, int seconds) throws IOException {
    configure(measurement);
    preparePageCache();
    ObjectNode result = new ObjectMapper().createObjectNode();
    try (Clients clients = new Clients(measurement + "-" + ++measurements)) {
      if (measurement.load().kind() != ClientLoad.Kind.NONE) {
        clients.startClient(measurement, seconds);
      }
      for (BackgroundStreams.Group group : measurement.background().groups()) {
        clients.startStreams(group);
      }
      long from = clients.beginReading();
      long to = from + TimeUnit.SECONDS.toMillis(seconds);
      clients.awaitTime(from);
      JsonNode before = dataNode();
      drive().resetStats();
      clients.awaitTime(to);
      addDrive(result);
      result.set("datanode", increase(before, dataNode()));
      clients.addResults(result, from, to);
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
        options ->
            options
                .conf(SchedulerKeys.MODE.name(), system.mode().toString())
                .conf(SchedulerKeys.SHARE.name(), Double.toString(system.share()))
                .conf(SchedulerKeys.EXCESS.name(), system.excess().toString()));
    VolumeMode.of(cluster, cluster.daemon(Role.DATANODE)).requireInForce(system.mode());
    scheduler(measurement.scheduler());
    drive().set(Map.of("mode", measurement.drive().mode()));
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

  private void addDrive(ObjectNode result) throws IOException {
    JsonNode stats = drive().stats();
    result.set("drive", stats);
    ObjectNode gate = result.putObject("gate");
    GATE.forEach(name -> gate.set(name, stats.path(name)));
  }

  /** What the drive spent on each of two groups; nothing where it does not see their priorities. */
  private static void addDiskTime(ObjectNode result, BackgroundStreams background) {
    JsonNode busy = result.at("/drive/priorities_busy");
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

  /** The client processes of a measurement. */
  private final class Clients implements Closeable {

    private final String id;
    private final List<String> commands = new ArrayList<>();
    private MeasuredClient client;
    private String clientField;
    private final List<StreamLoad> streams = new ArrayList<>();

    Clients(String id) {
      this.id = id;
    }

    /** Starts the process; {@link #beginReading} waits until it is ready to read. */
    void startClient(Measurement measurement, int seconds) throws IOException {
      ClientLoad load = measurement.load();
      boolean scan = load.kind() == ClientLoad.Kind.SCAN;
      clientField = load.isRealtime() ? "realtime" : "scan";
      Class<?> main = RandomReaders.class;
      List<String> arguments = new ArrayList<>();
      Collections.addAll(arguments, "--directory", REALTIME);
      Collections.addAll(
          arguments, "--length", Integer.toString(scan ? SCAN_READ_BYTES : READ_BYTES));
      if (scan) {
        Collections.addAll(arguments, "--reads", Integer.toString(load.amount()));
        Collections.addAll(arguments, "--pause-ms", Integer.toString(SCAN_PAUSE_MS));
        Collections.addAll(arguments, "--seed", Long.toString(SCAN_SEED));
      } else if (load.kind() == ClientLoad.Kind.OPEN) {
        double rate = alonePerSecond * load.amount() / 100;
        Collections.addAll(arguments, "--threads", Integer.toString(OPEN_LOOP_THREADS));
        Collections.addAll(arguments, "--rate", String.format(Locale.ROOT, "%.1f", rate));
        Collections.addAll(arguments, "--seed", Long.toString(measurements));
      } else {
        Collections.addAll(arguments, "--threads", Integer.toString(load.amount()));
      }
      if (load.kind() == ClientLoad.Kind.SEQUENTIAL) {
        main = SequentialReaders.class;
      } else if (scan) {
        main = ScanReaders.class;
      }
      if (main != RandomReaders.class && !cluster.hasLittlePageCache()) {
        arguments.add("--drop-behind");
      }
      Collections.addAll(arguments, "--seconds", Integer.toString(seconds));
      Optional<String> priority = measurement.system().priority().filter(p -> load.isRealtime());
      addCommand(main, priority, arguments);
      client = MeasuredClient.start(load.label(), command(main, priority, arguments), logs, id);
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

    /** Returns when the streams read. */
    void startStreams(BackgroundStreams.Group group) throws IOException {
      if (group.isWriting()) {
        startStreams(
            StreamWriters.class,
            group,
            List.of(
                group.directory(),
                Integer.toString(group.streams()),
                Long.toString(WRITTEN_FILE_BYTES)));
        return;
      }
      List<String> arguments = new ArrayList<>();
      if (cluster.hasLittlePageCache()) {
        // New data replace older data in the page cache, in the same pages.
        Collections.addAll(arguments, "-D", "dfs.client.cache.drop.behind.reads=false");
      }
      Collections.addAll(arguments, StreamLoad.arguments(group.directory(), group.streams()));
      startStreams(StreamReaders.class, group, arguments);
    }

    private void startStreams(Class<?> main, BackgroundStreams.Group group, List<String> arguments)
        throws IOException {
      addCommand(main, group.priority(), arguments);
      streams.add(
          StreamLoad.start(
              command(main, group.priority(), arguments),
              logs.resolve(id + "-streams" + streams.size() + ".log")));
    }

    private ClientCommand command(Class<?> main, Optional<String> priority, List<String> arguments)
        throws IOException {
      ClientCommand command = cluster.client(main, arguments.toArray(new String[0]));
      priority.ifPresent(stated -> command.env(PRIORITY_VARIABLE, stated));
      return command;
    }

    private void addCommand(Class<?> main, Optional<String> priority, List<String> arguments) {
      commands.add(
          priority.map(stated -> PRIORITY_VARIABLE + "=" + stated + " ").orElse("")
              + main.getSimpleName()
              + " "
              + String.join(" ", arguments));
    }

    /** Waits until a time of day, and fails as soon as a client does. */
    void awaitTime(long millis) throws IOException {
      for (long left = millis - System.currentTimeMillis();
          left > 0;
          left = millis - System.currentTimeMillis()) {
        requireStreams();
        Pauses.sleep(Math.min(left, POLL_MS), INTERRUPTED);
        if (client != null && left > POLL_MS) {
          client.requireAlive();
        }
      }
    }

    void addResults(ObjectNode result, long from, long to) throws IOException {
      if (!streams.isEmpty()) {
        requireStreams();
        addStreams(result.putObject("background"), from, to);
      }
      if (client != null) {
        result.set(clientField, client.result());
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
      List<Double> rates = new ArrayList<>();
      for (StreamLoad group : streams) {
        rates.add(group.bytesPerSecond(from, to) / BYTES_PER_MB);
        longestWait = Math.max(longestWait, group.longestWaitMillis(from, to));
      }
      ArrayNode groups = json.putArray("groups_mb_per_s");
      rates.forEach(groups::add);
      json.put("mb_per_s", rates.stream().mapToDouble(Double::doubleValue).sum());
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

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
