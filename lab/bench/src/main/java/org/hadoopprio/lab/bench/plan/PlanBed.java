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
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.bed.Drives;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClusterBuilder;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.disk.RequestQueue;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
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

  private static final int WARM_UP_SECONDS = 5;
  private static final long POLL_MS = 200;

  private final Plan plan;
  private final Plan.DriveSetting drive;
  private final LocalCluster cluster;
  private final Drives drives;
  private final Path logs;
  private int measurements;

  private PlanBed(Plan plan, Plan.DriveSetting drive, LocalCluster cluster, StepLog log)
      throws IOException {
    this.plan = plan;
    this.drive = drive;
    this.cluster = cluster;
    this.drives = new Drives(cluster);
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("clients"));
    drives.fast(
        () -> {
          for (Data data : plan.data()) {
            data.write(cluster, log);
          }
        });
    drives.fast(() -> warmUp(log));
  }

  /**
   * Starts the cluster and writes the data.
   *
   * @param drive how the disk is set
   * @param directory the cluster's
   */
  static PlanBed start(Plan plan, Plan.DriveSetting drive, Path directory, StepLog log)
      throws IOException {
    Plan.Cluster wanted = plan.cluster();
    DiskKind disk = drive.writeCache() ? DiskKind.VIRTUAL : DiskKind.VIRTUAL_WRITE_THROUGH;
    long diskBytes = (long) wanted.diskMib() << 20;
    log.say(wanted.hbase() ? "starting HDFS and HBase" : "starting HDFS");
    ClusterBuilder builder =
        wanted.hbase()
            ? BedClusters.hbase(directory, disk, diskBytes)
            : BedClusters.hdfs(directory, disk, 1, diskBytes);
    builder
        .littlePageCache(wanted.dataNodeMib())
        .configure(Role.DATANODE, o -> wanted.dataNode().forEach(o::conf))
        .configure(Role.REGIONSERVER, o -> wanted.regionServer().forEach(o::conf));
    return BedClusters.start(builder, cluster -> new PlanBed(plan, drive, cluster, log));
  }

  /** Compiles code, and brings indexes and bloom filters into the block cache. */
  private void warmUp(StepLog log) throws IOException {
    for (String load : plan.loads().keySet()) {
      Map<String, String> changes = plan.loads().get(load).warmUp();
      if (!changes.isEmpty()) {
        log.say("warming up with " + load);
        for (Plan.TriedSystem system : plan.systems().values()) {
          Map<String, String> parameters = new LinkedHashMap<>(plan.loads().get(load).parameters());
          parameters.putAll(system.loads().getOrDefault(load, Map.of()));
          parameters.putAll(changes);
          measurements++;
          run(Map.of(load, parameters), WARM_UP_SECONDS, 1);
        }
      }
    }
  }

  /**
   * Measures one condition with one system.
   *
   * @return fields {@code loads} with the figures of each, {@code all} with those of all together,
   *     {@code gate}, {@code drives} and {@code commands}
   */
  ObjectNode measure(Plan.Condition condition, int seconds, Plan.TriedSystem system)
      throws IOException {
    measurements++;
    apply(system);
    preparePageCache();
    Map<String, Map<String, String>> loads = new LinkedHashMap<>();
    for (String load : condition.loads().keySet()) {
      if (!system.without().contains(load)) {
        loads.put(load, plan.parameters(load, condition, system));
      }
    }
    return run(loads, seconds, RAMP_SECONDS);
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
    Vhdd drive = vhdd();
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

  private Vhdd vhdd() throws IOException {
    return ((VirtualDisk) cluster.disks().get(0)).vhdd();
  }

  /**
   * Sets the disk's I/O scheduler.
   *
   * @throws IOException if this kernel has no such scheduler; the message names those it has
   */
  void scheduler(String name) throws IOException {
    vhdd().queue().scheduler(name);
  }

  /** Gives running daemons and the disk this configuration. */
  private void apply(Plan.TriedSystem system) throws IOException {
    Daemon dataNode = cluster.daemon(Role.DATANODE);
    reconfigure(dataNode, system.dataNode());
    String mode = system.dataNode().get(SchedulerKeys.MODE.name());
    if (mode != null) {
      VolumeMode.of(cluster, dataNode).requireInForce(SchedulerKeys.MODE.parse(mode).of(null));
    }
    if (plan.cluster().hbase()) {
      reconfigure(cluster.daemon(Role.REGIONSERVER), system.regionServer());
      rollLogs();
    }
    scheduler(system.scheduler());
    RequestQueue queue = vhdd().queue();
    if (drive.asyncDepth().isPresent() && system.scheduler().equals(RequestQueue.MQ_DEADLINE)) {
      queue.asyncDepth(drive.asyncDepth().get());
    }
    queue.readAhead(system.readAhead().map(ReadAhead::parse).orElseGet(ReadAhead::byDefault));
  }

  private void reconfigure(Daemon daemon, Map<String, String> keys) throws IOException {
    if (!keys.isEmpty()) {
      cluster.reconfigure(daemon, o -> keys.forEach(o::conf));
    }
  }

  /** A write-ahead log keeps the priority that it was opened with. */
  private void rollLogs() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        admin.rollWALWriter(server);
      }
    }
  }

  private ObjectNode run(Map<String, Map<String, String>> loads, int seconds, int rampSeconds)
      throws IOException {
    ObjectNode result = new ObjectMapper().createObjectNode();
    ArrayNode commands = result.putArray("commands");
    try (Running running = new Running(new LinkedHashMap<>())) {
      for (Map.Entry<String, Map<String, String>> load : loads.entrySet()) {
        RunningLoad started = start(load.getKey(), load.getValue(), seconds);
        running.loads().put(load.getKey(), started);
        started.commands().forEach(commands::add);
      }
      long from = running.begin(seconds, rampSeconds);
      running.awaitTime(from);
      ChargedBytes before = charged();
      drives.resetStats();
      long to = from + TimeUnit.SECONDS.toMillis(seconds);
      running.awaitTime(to);
      drives.addTo(result);
      charged().addTo(result.putObject(Column.DISK), before, result.path("drives"));
      double leastP99 = running.addFigures(result, from, to);
      loads.forEach((name, parameters) -> addBusy(result, name, parameters));
      if (plan.cluster().allowsLateness()) {
        Drives.allowLatenessToClient(result, leastP99);
      }
      return result;
    }
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

  private RunningLoad start(String load, Map<String, String> parameters, int seconds)
      throws IOException {
    return plan.loads()
        .get(load)
        .kind()
        .start(new RunningLoad.Start(cluster, load, parameters, logs, measurements, seconds));
  }

  /** The loads of a measurement, by their names. */
  private record Running(Map<String, RunningLoad> loads) implements Closeable {

    /** Returns when measuring begins, in milliseconds since the epoch. */
    long begin(int seconds, int rampSeconds) throws IOException {
      for (RunningLoad load : loads.values()) {
        load.awaitReady();
      }
      long from = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(rampSeconds);
      for (RunningLoad load : loads.values()) {
        load.begin(from, from + TimeUnit.SECONDS.toMillis(seconds));
      }
      return from;
    }

    /** Waits until a time of day, and fails as soon as a load does. */
    void awaitTime(long millis) throws IOException {
      for (long left = millis - System.currentTimeMillis();
          left > 0;
          left = millis - System.currentTimeMillis()) {
        if (left > POLL_MS) {
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
    cluster.close();
  }
}
