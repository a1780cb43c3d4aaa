// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.bench.bed.Drives;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.DaemonOptions;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.ShortCircuit;
import org.hadoopprio.lab.cluster.VolumeReport;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.disk.RequestQueue;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.progress.Pauses;

/** Makes a cluster that runs what each system of a plan says. Not thread-safe. */
final class Setup {

  private static final Set<Role> RESTARTED = Set.of(Role.DATANODE, Role.MASTER, Role.REGIONSERVER);

  /**
   * A RegionServer's heap, what two JVMs need beside it, and some hundred MiB of page cache: the
   * limit of a RegionServer that reads the disk itself, together with the clients that do (see
   * {@link SharedMemory}).
   */
  private static final int LOCAL_MB = 1280;

  private static final int NO_LIMIT_MB = 0;
  private static final long TABLES_TIMEOUT_MS = 120_000;

  /** Of what the disk reads, so much may go through the DataNode with short circuit. */
  private static final double MAX_SENT = 0.05;

  private final LocalCluster cluster;
  private final Plan.DriveSetting drive;
  private Plan.Daemons daemons;

  /**
   * A cluster.
   *
   * @param drive how its disk is set, whatever the system
   * @param daemons those that run
   */
  Setup(LocalCluster cluster, Plan.DriveSetting drive, Plan.Daemons daemons) {
    this.cluster = cluster;
    this.drive = drive;
    this.daemons = daemons;
  }

  /** The daemons that run. */
  Plan.Daemons daemons() {
    return daemons;
  }

  Vhdd vhdd() throws IOException {
    return ((VirtualDisk) cluster.disks().get(0)).vhdd();
  }

  /**
   * Checks that there is what a system needs.
   *
   * @throws IOException saying what there is not, such as an I/O scheduler of this kernel
   */
  void require(Plan.TriedSystem system) throws IOException {
    vhdd().queue().scheduler(system.scheduler());
    if (system.daemons().shortCircuit()) {
      ShortCircuit.prepare(cluster.daemon(Role.DATANODE));
    }
  }

  /**
   * Gives daemons and disk a system's configuration.
   *
   * @return whether daemons were restarted, whose code is not yet compiled
   */
  boolean apply(Plan.TriedSystem wanted, StepLog log) throws IOException {
    Plan.TriedSystem system = Tenants.withPolicy(wanted, cluster.directory());
    boolean restarts = !system.daemons().equals(daemons);
    if (restarts) {
      log.say("restarting " + (hasHBase() ? "DataNode and HBase" : "the DataNode"));
      new Drives(cluster).fast(() -> restart(system));
    } else {
      reconfigure(Role.DATANODE, system.dataNode());
      reconfigure(Role.REGIONSERVER, system.regionServer());
      rollLogs();
    }
    String mode = system.dataNode().get(SchedulerKeys.MODE.name());
    if (mode != null) {
      VolumeReport.of(cluster, cluster.daemon(Role.DATANODE))
          .requireInForce(SchedulerKeys.MODE.parse(mode).of(null));
    }
    Tenants.requireInForce(system, cluster);
    setDisk(system);
    return restarts;
  }

  private boolean hasHBase() {
    return !cluster.daemons(Role.REGIONSERVER).isEmpty();
  }

  private void restart(Plan.TriedSystem system) throws IOException {
    cluster.restart(RESTARTED, (role, options) -> configure(role, options, system));
    daemons = system.daemons();
    if (hasHBase()) {
      awaitTables();
    }
  }

  /** An option of a daemon cannot be taken back, but what stock does not know has no effect. */
  private void configure(Role role, DaemonOptions options, Plan.TriedSystem system) {
    Plan.Daemons wanted = system.daemons();
    options.agent(wanted.agent()).release(wanted.release());
    if (role == Role.MASTER) {
      return;
    }
    options.conf(ShortCircuit.KEY, "false");
    if (role == Role.DATANODE) {
      (wanted.shortCircuit() ? ShortCircuit.conf() : Map.<String, String>of())
          .forEach(options::conf);
      system.dataNode().forEach(options::conf);
      return;
    }
    (wanted.shortCircuit() ? ShortCircuit.regionServerConf() : Map.<String, String>of())
        .forEach(options::conf);
    boolean limited = wanted.shortCircuit() && cluster.hasLittlePageCache();
    options.memoryMb(limited ? LOCAL_MB : NO_LIMIT_MB);
    system.regionServer().forEach(options::conf);
  }

  private void awaitTables() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        Pauses.await("table " + table, TABLES_TIMEOUT_MS, () -> admin.isTableAvailable(table));
      }
    }
  }

  private void reconfigure(Role role, Map<String, String> keys) throws IOException {
    for (Daemon daemon : keys.isEmpty() ? List.<Daemon>of() : cluster.daemons(role)) {
      cluster.reconfigure(daemon, o -> keys.forEach(o::conf));
    }
  }

  /** A write-ahead log keeps the priority that it was opened with. */
  private void rollLogs() throws IOException {
    if (!hasHBase()) {
      return;
    }
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf());
        Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        admin.rollWALWriter(server);
      }
    }
  }

  private void setDisk(Plan.TriedSystem system) throws IOException {
    vhdd().set(Map.of("mode", system.drivePriority() ? "prio" : "ncq"));
    RequestQueue queue = vhdd().queue();
    queue.scheduler(system.scheduler());
    if (drive.asyncDepth().isPresent()) {
      queue.asyncDepth(drive.asyncDepth().get());
    }
    queue.readAhead(system.readAhead().map(ReadAhead::parse).orElseGet(ReadAhead::byDefault));
  }

  /** Bytes of blocks that the DataNode has sent to readers, as its own metrics say. */
  long bytesSent() throws IOException {
    return cluster
        .jmx(cluster.daemon(Role.DATANODE), "Hadoop:service=DataNode,name=DataNodeActivity*")
        .path(0)
        .path("BytesRead")
        .asLong();
  }

  /**
   * Checks that RegionServer and clients have read the disk themselves, if they are to: HDFS says
   * nothing where it falls back on the DataNode.
   *
   * @param sent what the DataNode has sent in a time
   * @param read what the disk has read in it
   */
  void requireShortCircuit(long sent, double read) throws IOException {
    if (daemons.shortCircuit() && sent > read * MAX_SENT) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "reads did not use short circuit: the DataNode sent %d bytes while the disk read"
                  + " %.0f; the logs of RegionServer, clients and DataNode may say why",
              sent,
              read));
    }
  }
}
