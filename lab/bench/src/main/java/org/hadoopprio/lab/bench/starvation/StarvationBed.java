package org.hadoopprio.lab.bench.starvation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.DeviceNumber;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.SchedulerSettings;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.workload.ChildProcess;
import org.hadoopprio.lab.workload.Pauses;
import org.hadoopprio.lab.workload.RandomReaders;
import org.hadoopprio.lab.workload.StreamFiles;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;

/**
 * A NameNode, a DataNode on one disk, and files to read. Settings change between measurements while
 * the DataNode runs. Not thread-safe, except that {@link #close} may be called by another thread.
 */
final class StarvationBed implements Closeable {

  static final int STREAMS = 16;

  /** What HBase reads for a Get with blocks of 56 KiB. */
  static final int READ_BYTES = 56 << 10;

  /** The most reads of an open loop that are under way at the same time. */
  private static final int OPEN_LOOP_THREADS = 64;

  /** From the begin of reading until both clients read steadily. */
  private static final int RAMP_SECONDS = 4;

  /** What a measurement takes beside the measured time, about. */
  static final int EXTRA_SECONDS = 8;

  private static final String REALTIME_PRIORITY = "rt:0";
  private static final long MIB = 1 << 20;
  private static final long FILE_BYTES = 128 * MIB;
  private static final int REALTIME_FILES = 16;

  /** As much as a DataNode with little page cache can have in it. */
  private static final int FILLER_FILES = 4;

  private static final int FILES = STREAMS + REALTIME_FILES + FILLER_FILES;

  /**
   * The files and what the file system and HDFS keep free, so that the reads go over nearly the
   * whole of the disk.
   */
  private static final long DISK_BYTES = FILES * FILE_BYTES * 9 / 8;

  private static final String BACKGROUND = "/background";
  private static final String REALTIME = "/realtime";
  private static final String FILLER = "/filler";
  private static final long POLL_MS = 200;
  private static final long END_PATIENCE_MS = 30_000;
  private static final double BYTES_PER_MB = 1e6;
  private static final String INTERRUPTED = "interrupted while clients read";

  /** What of the drive's figures tells whether they can be trusted. */
  private static final List<String> GATE =
      List.of("valid", "reasons", "priorities", "queue_max", "lateness_ms");

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
  static StarvationBed start(Path directory, DiskKind disk, StepLog log) throws IOException {
    LocalCluster cluster =
        LocalCluster.builder(directory)
            .hbase(false)
            .yarn(false)
            .dataNodes(1)
            .disk(disk)
            .diskBytes(DISK_BYTES)
            // By default HDFS leaves a GiB of a volume unused; here the whole volume is needed.
            .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0")
            .littlePageCache()
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
    settings.put("streams", Integer.toString(STREAMS));
    settings.put("read-bytes", Integer.toString(READ_BYTES));
    settings.put("file-bytes", Long.toString(FILE_BYTES));
    settings.put("disk-bytes", Long.toString(DISK_BYTES));
    settings.put("realtime-priority", REALTIME_PRIORITY);
    return settings;
  }

  private void writeFiles(StepLog log) throws IOException {
    Optional<VirtualDisk> drive = drive();
    if (drive.isPresent()) {
      drive.get().vhdd().set(Map.of("mode", "prio"));
    }
    loading(true);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      // Place the real-time files on both sides of the others, so that reads cross the whole disk.
      int half = REALTIME_FILES / 2;
      write(fs, REALTIME + "/0", half, 0, log);
      write(fs, BACKGROUND, STREAMS, half, log);
      write(fs, FILLER, FILLER_FILES, half + STREAMS, log);
      write(fs, REALTIME + "/1", half, half + STREAMS + FILLER_FILES, log);
    }
    cluster.evictPageCache();
    loading(false);
  }

  private static void write(FileSystem fs, String directory, int count, int before, StepLog log)
      throws IOException {
    long all = FILES * FILE_BYTES;
    StreamFiles.write(
        fs,
        new org.apache.hadoop.fs.Path(directory),
        0,
        count,
        FILE_BYTES,
        bytes -> {
          long done = before * FILE_BYTES + bytes;
          log.at((double) done / all, done / MIB + " of " + all / MIB + " MiB");
        });
  }

  /** The virtual disk; empty where the DataNode is on another kind of disk. */
  private Optional<VirtualDisk> drive() throws IOException {
    Disk disk = cluster.disks().get(0);
    return disk instanceof VirtualDisk ? Optional.of((VirtualDisk) disk) : Optional.empty();
  }

  /** Switches loading on or off where there is a drive; see {@link Vhdd#loading}. */
  private void loading(boolean on) throws IOException {
    Optional<VirtualDisk> drive = drive();
    if (drive.isPresent()) {
      drive.get().vhdd().loading(on);
    }
  }

  String diskDescription() throws IOException {
    return cluster.disks().get(0).description();
  }

  /**
   * Measures how many reads per second the disk does without other readers. The rates of open loops
   * are relative to that.
   *
   * @param threads enough to keep the drive's queue well filled
   */
  double measureAlone(int threads, int seconds) throws IOException {
    ObjectNode alone = measure(ReaderSystem.bound(), RealtimeLoad.closed(threads), seconds);
    alonePerSecond = alone.at("/realtime/reads_per_s").asDouble();
    return alonePerSecond;
  }

  /**
   * Measures one system under one load.
   *
   * @return fields {@code realtime} and {@code background} where there are such readers, {@code
   *     gate} and {@code drive} on a virtual disk, and {@code commands}
   */
  ObjectNode measure(ReaderSystem system, RealtimeLoad load, int seconds) throws IOException {
    configure(system);
    preparePageCache();
    String id = load + "-" + system.name() + "-" + ++measurements;
    ObjectNode result = new ObjectMapper().createObjectNode();
    try (Clients clients = new Clients(id)) {
      if (!load.equals(RealtimeLoad.NONE)) {
        clients.startRealtime(system, load, seconds);
      }
      if (system.background()) {
        clients.startBackground();
      }
      long from = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(RAMP_SECONDS);
      long to = from + TimeUnit.SECONDS.toMillis(seconds);
      clients.beginReading(from);
      clients.awaitTime(from);
      Pacing before = pacing();
      resetDrive();
      clients.awaitTime(to);
      addDrive(result);
      Pacing after = pacing();
      clients.addResults(result, from, to);
      ObjectNode pacing = result.putObject("pacing");
      pacing.put("waits", after.waits - before.waits);
      pacing.put("wait_ms", after.millis - before.millis);
    }
    if (system.prioritised()) {
      requireShare(system);
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
    loading(true);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      for (int i = 0; i < FILLER_FILES; i++) {
        try (InputStream in = fs.open(StreamFiles.file(new org.apache.hadoop.fs.Path(FILLER), i))) {
          in.transferTo(OutputStream.nullOutputStream());
        }
      }
    }
    loading(false);
  }

  private void configure(ReaderSystem system) throws IOException {
    String share = SchedulerKeys.SHARE.name();
    String excess = SchedulerKeys.EXCESS.name();
    cluster.reconfigure(
        cluster.daemon(Role.DATANODE),
        options ->
            options
                .conf(share, Double.toString(system.share()))
                .conf(excess, system.excess().toString()));
    for (DeviceNumber device : cluster.devices()) {
      new SchedulerSettings(device).set("prio_aging_expire", system.schedulerAging().toMillis());
    }
    Optional<VirtualDisk> drive = drive();
    if (drive.isPresent()) {
      drive.get().vhdd().set(Map.of("prio_max_age_ns", system.driveAging().toNanos() + ""));
    }
  }

  /** What the DataNode has done to keep real-time reads to their share, since it started. */
  private static final class Pacing {

    private final long waits;
    private final long millis;
    private final JsonNode share;

    private Pacing(JsonNode bean) {
      this.waits = bean.path("RealtimePaced").asLong();
      this.millis = bean.path("RealtimePacedMillis").asLong();
      this.share = bean.path("RealtimeShare");
    }
  }

  private Pacing pacing() throws IOException {
    return new Pacing(
        cluster.jmx(cluster.daemon(Role.DATANODE), PriorityMBean.OBJECT_NAME).path(0));
  }

  /** The DataNode itself says that the change of its configuration was taken. */
  private void requireShare(ReaderSystem system) throws IOException {
    JsonNode inForce = pacing().share;
    if (inForce.asDouble() != system.share()) {
      throw new IOException(
          "the DataNode's real-time share is " + inForce + " and not " + system.share());
    }
  }

  private void resetDrive() throws IOException {
    Optional<VirtualDisk> drive = drive();
    if (drive.isPresent()) {
      drive.get().vhdd().resetStats();
    }
  }

  private void addDrive(ObjectNode result) throws IOException {
    Optional<VirtualDisk> drive = drive();
    if (drive.isPresent()) {
      JsonNode stats = drive.get().vhdd().stats();
      result.set("drive", stats);
      ObjectNode gate = result.putObject("gate");
      GATE.forEach(name -> gate.set(name, stats.path(name)));
    }
  }

  /** The two client processes of a measurement. */
  private final class Clients implements Closeable {

    private final String id;
    private final Path report;
    private final Path startFile;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final List<String> commands = new ArrayList<>();
    private ChildProcess realtime;
    private StreamLoad background;

    Clients(String id) {
      this.id = id;
      this.report = logs.resolve(id + "-realtime.json");
      this.startFile = logs.resolve(id + "-start");
    }

    /** Starts the process and waits until it is ready to read. */
    void startRealtime(ReaderSystem system, RealtimeLoad load, int seconds) throws IOException {
      List<String> arguments = new ArrayList<>();
      Collections.addAll(arguments, "--directory", REALTIME);
      Collections.addAll(arguments, "--length", Integer.toString(READ_BYTES));
      if (load.kind() == RealtimeLoad.Kind.OPEN) {
        double rate = alonePerSecond * load.amount() / 100;
        Collections.addAll(arguments, "--threads", Integer.toString(OPEN_LOOP_THREADS));
        Collections.addAll(arguments, "--rate", String.format(Locale.ROOT, "%.1f", rate));
        Collections.addAll(arguments, "--seed", Long.toString(measurements));
      } else {
        Collections.addAll(arguments, "--threads", Integer.toString(load.amount()));
      }
      if (system.prioritised()) {
        Collections.addAll(arguments, "--priority", REALTIME_PRIORITY);
      }
      Collections.addAll(arguments, "--seconds", Integer.toString(seconds));
      commands.add(commandLine(RandomReaders.class, arguments));
      Collections.addAll(arguments, "--start-file", startFile.toString());
      Collections.addAll(arguments, "--report", report.toString());
      realtime =
          ChildProcess.start(
              "random readers",
              client(RandomReaders.class, arguments).toProcessBuilder(),
              logs.resolve(id + "-realtime.log"),
              line -> {
                if (line.equals(RandomReaders.READY)) {
                  ready.countDown();
                }
              });
      try {
        while (!ready.await(POLL_MS, TimeUnit.MILLISECONDS)) {
          if (!realtime.isAlive()) {
            throw realtime.failure("ended at once");
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException(INTERRUPTED);
      }
    }

    /** Tells the real-time client when measuring begins; it reads from now on. */
    void beginReading(long fromMillis) throws IOException {
      Path written = startFile.resolveSibling(startFile.getFileName() + ".new");
      Files.writeString(written, Long.toString(fromMillis));
      Files.move(written, startFile, StandardCopyOption.ATOMIC_MOVE);
    }

    void startBackground() throws IOException {
      List<String> arguments = new ArrayList<>();
      if (cluster.hasLittlePageCache()) {
        // New data replace older data in the page cache, in the same pages.
        Collections.addAll(arguments, "-D", "dfs.client.cache.drop.behind.reads=false");
      }
      Collections.addAll(arguments, StreamLoad.arguments(BACKGROUND, STREAMS));
      commands.add(commandLine(StreamReaders.class, arguments));
      background =
          StreamLoad.start(
              client(StreamReaders.class, arguments), logs.resolve(id + "-background.log"));
    }

    private ClientCommand client(Class<?> main, List<String> arguments) throws IOException {
      return cluster.client(main, arguments.toArray(new String[0]));
    }

    private String commandLine(Class<?> main, List<String> arguments) {
      return main.getSimpleName() + " " + String.join(" ", arguments);
    }

    /** Waits until a time of day, and fails as soon as a client does. */
    void awaitTime(long millis) throws IOException {
      for (long left = millis - System.currentTimeMillis();
          left > 0;
          left = millis - System.currentTimeMillis()) {
        if (background != null) {
          background.requireAlive();
        }
        Pauses.sleep(Math.min(left, POLL_MS), INTERRUPTED);
        if (realtime != null && !realtime.isAlive() && left > POLL_MS) {
          throw realtime.failure("ended too early");
        }
      }
    }

    void addResults(ObjectNode result, long from, long to) throws IOException {
      if (background != null) {
        background.requireAlive();
        ObjectNode json = result.putObject("background");
        json.put("mb_per_s", background.bytesPerSecond(from, to) / BYTES_PER_MB);
        json.put("longest_wait_ms", background.longestWaitMillis(from, to));
      }
      if (realtime != null) {
        if (!realtime.await(END_PATIENCE_MS)) {
          throw realtime.failure("does not end");
        }
        realtime.requireSuccess();
        result.set("realtime", new ObjectMapper().readTree(report.toFile()));
      }
      ArrayNode array = result.putArray("commands");
      commands.forEach(array::add);
    }

    @Override
    public void close() {
      if (realtime != null) {
        realtime.close();
      }
      if (background != null) {
        background.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    cluster.close();
  }
}
