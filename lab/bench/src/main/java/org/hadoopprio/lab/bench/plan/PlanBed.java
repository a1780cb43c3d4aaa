// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.bed.BlockFiles;
import org.hadoopprio.lab.bench.bed.Drives;
import org.hadoopprio.lab.bench.bed.Evictor;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.ShortCircuit;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.progress.Pauses;

/**
 * The cluster that a plan is measured on, with its data. Not thread-safe, except that {@link
 * #close} may be called by another thread.
 */
final class PlanBed implements Closeable {

  /** What a measurement takes beside the measured time, about. */
  static final int EXTRA_SECONDS = 8;

  /** From the begin of the loads until they are in full swing. */
  private static final int RAMP_SECONDS = 4;

  /** The number of a warm-up among repetitions. */
  private static final int WARM_UP = 0;

  /** More than a plan has loads. */
  private static final long SEEDS = 1000;

  private static final int WARM_UP_SECONDS = 5;
  private static final long POLL_MS = 200;

  /** Until clients and tasks have read for the first time. */
  private static final long READY_TIMEOUT_MS = 180_000;

  private static final double BYTES_PER_MB = 1e6;
  private static final String COMMANDS = "commands";

  private final Plan plan;
  private final LocalCluster cluster;
  private final Setup setup;
  private final Drives drives;
  private final Path logs;
  private int measurements;

  private PlanBed(Plan plan, Setup setup, LocalCluster cluster, StepLog log) throws IOException {
    this.plan = plan;
    this.setup = setup;
    this.cluster = cluster;
    this.drives = new Drives(cluster);
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("clients"));
    drives.fast(
        () -> {
          for (Data data : plan.data()) {
            data.write(cluster, log);
          }
        });
    for (Daemon nodeManager : cluster.daemons(Role.NODEMANAGER)) {
      JobProcessors.confine(nodeManager);
    }
    warmUp(log);
  }

  /**
   * Starts the cluster and writes the data.
   *
   * @param drive how the disk is set
   * @param first the system that is going to be measured first
   * @param directory the cluster's
   */
  static PlanBed start(
      Plan plan, Plan.DriveSetting drive, Plan.TriedSystem first, Path directory, StepLog log)
      throws IOException {
    Plan.Cluster wanted = plan.cluster();
    DiskKind disk = drive.writeCache() ? DiskKind.VIRTUAL : DiskKind.VIRTUAL_WRITE_THROUGH;
    long diskBytes = (long) wanted.diskMib() << 20;
    log.say(wanted.hbase() ? "starting HDFS and HBase" : "starting HDFS");
    ClusterBuilder builder =
        wanted.hbase()
            ? BedClusters.hbase(directory, disk, diskBytes)
            : BedClusters.hdfs(directory, disk, 1, diskBytes);
    Plan.Daemons daemons = first.daemons().withoutShortCircuit();
    if (!daemons.agent()) {
      builder.stock();
    }
    builder.configureAll(options -> options.release(daemons.release()));
    builder
        .drive(drive.preset())
        .yarn(plan.loads().values().stream().anyMatch(load -> load.kind().isJob()))
        .littlePageCache(wanted.dataNodeMib())
        // Whether HBase is ready is told by its metrics: look at them while they are fresh.
        .metricsPeriodMillis(1_000)
        .configure(Role.DATANODE, o -> wanted.dataNode().forEach(o::conf))
        .configure(Role.REGIONSERVER, o -> wanted.regionServer().forEach(o::conf));
    return BedClusters.start(
        builder,
        cluster -> {
          Setup setup = new Setup(cluster, drive, daemons);
          return new PlanBed(plan, setup, cluster, log);
        });
  }

  /**
   * Compiles code, and brings indexes and bloom filters into the block cache, with all that differs
   * between the systems that the daemons serve.
   */
  private void warmUp(StepLog log) throws IOException {
    for (Map.Entry<String, Plan.Load> load : plan.loads().entrySet()) {
      Map<String, String> changes = load.getValue().warmUp();
      if (changes.isEmpty()) {
        continue;
      }
      Set<Map<String, String>> all = new LinkedHashSet<>();
      for (Plan.TriedSystem system : plan.systems().values()) {
        if (system.daemons().equals(setup.daemons())) {
          all.add(Plan.warmUp(load.getKey(), load.getValue(), system));
        }
      }
      log.say("warming up with " + load.getKey());
      drives.fast(
          () -> {
            for (Map<String, String> parameters : all) {
              measurements++;
              run(Map.of(load.getKey(), parameters), WARM_UP_SECONDS, 1, WARM_UP);
            }
          });
    }
  }

  /**
   * Measures one condition with one system.
   *
   * @param repetition of the condition, from 1
   * @return fields {@code loads} with the figures of each, {@code all} with those of all together,
   *     {@code disk}, {@code gate}, {@code drives}, {@code queue} and {@code commands}
   */
  ObjectNode measure(
      Plan.Condition condition, int seconds, Plan.TriedSystem system, int repetition, StepLog log)
      throws IOException {
    if (setup.apply(system, log)) {
      warmUp(log);
    }
    measurements++;
    preparePageCache();
    Map<String, Map<String, String>> loads = new LinkedHashMap<>();
    for (String load : condition.loads(system)) {
      loads.put(load, plan.parameters(load, condition, system));
    }
    if (system.ionice().isEmpty()) {
      return run(loads, seconds, RAMP_SECONDS, repetition);
    }
    Daemon regionServer = cluster.daemon(Role.REGIONSERVER);
    try (IoNice ioNice = new IoNice(regionServer, system.ionice().get())) {
      ObjectNode result = run(loads, seconds, RAMP_SECONDS, repetition);
      result.withArray(COMMANDS).insert(0, ioNice.command());
      return result;
    }
  }

  /**
   * Nothing of what is going to be read is in the page cache afterwards. If the plan has a filler
   * and the DataNode little page cache, that is full, so that reads find pages that were in use a
   * moment ago from the first one on; see {@link LocalCluster#hasLittlePageCache}.
   */
  private void preparePageCache() throws IOException {
    cluster.evictPageCache();
    if (plan.cluster().filler().isEmpty() || !cluster.hasLittlePageCache()) {
      return;
    }
    Vhdd drive = setup.vhdd();
    drive.loading(true);
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      for (FileStatus file :
          fs.listStatus(new org.apache.hadoop.fs.Path(plan.cluster().filler().get()))) {
        try (InputStream in = fs.open(file.getPath())) {
          in.transferTo(OutputStream.nullOutputStream());
        }
      }
    }
    drive.loading(false);
  }

  /** See {@link LocalCluster#requireRunning}. */
  void requireRunning() throws IOException {
    cluster.requireRunning();
  }

  /** Checks that there is what a system needs; see {@link Setup#require}. */
  void require(Plan.TriedSystem system) throws IOException {
    setup.require(system);
  }

  /** The directory of a table in HDFS. */
  static String tableDirectory(String table) {
    return "/hbase/data/default/" + table;
  }

  /**
   * What is got at random, and leaves the page cache again: what drop-behind leaves of it would be
   * found there where no streams push it out.
   */
  private Evictor startEvictor(Map<String, Map<String, String>> loads) throws IOException {
    String[] got =
        loads.entrySet().stream()
            .filter(load -> plan.loads().get(load.getKey()).kind() == LoadKind.RANDOM_MULTI_GETS)
            .map(load -> tableDirectory(load.getValue().get(CompactionsLoad.TABLE)))
            .distinct()
            .toArray(String[]::new);
    return Evictor.start(BlockFiles.of(cluster, got), Map.of());
  }

  private ObjectNode run(
      Map<String, Map<String, String>> loads, int seconds, int rampSeconds, int repetition)
      throws IOException {
    ObjectNode result = new ObjectMapper().createObjectNode();
    ArrayNode commands = result.putArray(COMMANDS);
    try (Evictor evictor = startEvictor(loads);
        Running running = new Running(cluster, new LinkedHashMap<>())) {
      for (Map.Entry<String, Map<String, String>> load : loads.entrySet()) {
        RunningLoad started = start(load.getKey(), load.getValue(), seconds, repetition);
        running.loads().put(load.getKey(), started);
        started.commands().forEach(commands::add);
      }
      long from = running.begin(seconds, rampSeconds);
      running.awaitTime(from);
      ChargedBytes before = charged();
      long sent = setup.bytesSent();
      drives.resetStats();
      long to = from + TimeUnit.SECONDS.toMillis(seconds);
      running.awaitTime(to);
      drives.addTo(result);
      result.put("queue", setup.vhdd().queue().describe());
      addDisk(result, before, setup.bytesSent() - sent);
      double leastP99 = running.addFigures(result, from, to);
      evictor.requireNoFailure();
      loads.forEach((name, parameters) -> addBusy(result, name, parameters));
      if (plan.cluster().allowsLateness()) {
        Drives.allowLatenessToClient(result, leastP99);
      }
      return result;
    }
  }

  /**
   * Adds what the disk has done.
   *
   * @param sent what the DataNode has sent meanwhile
   */
  private void addDisk(ObjectNode result, ChargedBytes before, long sent) throws IOException {
    JsonNode drive = result.at("/drives/0");
    double read = 0;
    for (JsonNode each : drive.path("classes")) {
      read += each.path("operation").asText().equals("read") ? each.path("bytes").asDouble() : 0;
    }
    setup.requireShortCircuit(sent, read);
    ObjectNode disk = result.putObject(Column.DISK);
    disk.put(Column.READ, read / BYTES_PER_MB / drive.path("elapsed_s").asDouble());
    charged().addTo(disk, before, result.path("drives"));
  }

  private ChargedBytes charged() throws IOException {
    Daemon dataNode = cluster.daemon(Role.DATANODE);
    return new ChargedBytes(cluster.jmx(dataNode, PriorityMBean.OBJECT_NAME).path(0));
  }

  /** Nothing where the drive does not see the streams' priority. */
  private static void addBusy(ObjectNode result, String load, Map<String, String> parameters) {
    JsonNode figures = result.path(Column.LOADS).path(load);
    double busy =
        result
            .at("/drives/0/priorities_busy")
            .path(parameters.getOrDefault(ClientLoad.PRIORITY, ""))
            .asDouble();
    if (busy > 0) {
      ((ObjectNode) figures).put(StreamsLoad.BUSY, busy);
    }
  }

  private RunningLoad start(
      String load, Map<String, String> parameters, int seconds, int repetition) throws IOException {
    long seed = SEEDS * repetition + List.copyOf(plan.loads().keySet()).indexOf(load);
    return plan.loads()
        .get(load)
        .kind()
        .start(
            new RunningLoad.Start(
                cluster, setup.daemons(), load, parameters, logs, measurements, seed, seconds));
  }

  /** The loads of a measurement, by their names. */
  private record Running(LocalCluster cluster, Map<String, RunningLoad> loads)
      implements Closeable {

    /** Returns when measuring begins, in milliseconds since the epoch. */
    long begin(int seconds, int rampSeconds) throws IOException {
      Pauses.await("what " + loads.keySet() + " read first", READY_TIMEOUT_MS, this::isReady);
      long from = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(rampSeconds);
      for (RunningLoad load : loads.values()) {
        load.begin(from, from + TimeUnit.SECONDS.toMillis(seconds));
      }
      return from;
    }

    /** A client asks a daemon that has ended for many minutes: that one is to be named. */
    private boolean isReady() throws IOException {
      cluster.requireRunning();
      for (RunningLoad load : loads.values()) {
        if (!load.isReady()) {
          return false;
        }
      }
      return true;
    }

    /** Waits until a time of day, and fails as soon as a load does. */
    void awaitTime(long millis) throws IOException {
      for (long left = millis - System.currentTimeMillis();
          left > 0;
          left = millis - System.currentTimeMillis()) {
        if (left > POLL_MS) {
          cluster.requireRunning();
          for (RunningLoad load : loads.values()) {
            load.requireAlive();
          }
        }
        Pauses.sleep(Math.min(left, POLL_MS), "interrupted while loads were measured");
      }
    }

    /** Returns the least 99th percentile of all clients, in milliseconds; 0 if there are none. */
    double addFigures(ObjectNode result, long from, long to) throws IOException {
      ObjectNode figures = result.putObject(Column.LOADS);
      double all = 0;
      double leastP99 = Double.MAX_VALUE;
      for (Map.Entry<String, RunningLoad> load : loads.entrySet()) {
        JsonNode own = load.getValue().figures(from, to);
        figures.set(load.getKey(), own);
        all += own.path(Column.THROUGHPUT).asDouble();
        leastP99 = Math.min(leastP99, own.path(Column.P99).asDouble(Double.MAX_VALUE));
      }
      result.putObject(Column.ALL).put(Column.THROUGHPUT, all);
      return leastP99 < Double.MAX_VALUE ? leastP99 : 0;
    }

    @Override
    public void close() throws IOException {
      IOException failure = null;
      for (RunningLoad load : loads.values()) {
        try {
          load.close();
        } catch (IOException e) {
          if (failure == null) {
            failure = e;
          } else {
            failure.addSuppressed(e);
          }
        }
      }
      if (failure != null) {
        throw failure;
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      cluster.close();
    } finally {
      ShortCircuit.remove();
    }
  }
}
