// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.lab.cluster.ClusterState.DaemonState;
import org.hadoopprio.lab.disk.DiskKind;

/** Writes the configuration of a cluster's daemons and clients. */
final class ClusterConf {

  /**
   * Those whose metrics tell {@link Readiness} that they are ready. Metrics are read again only
   * after a period: with Hadoop's, a daemon would answer for 10 s what it has answered first.
   */
  private static final Set<Role> READY_BY_METRICS =
      Set.of(Role.MASTER, Role.REGIONSERVER, Role.RESOURCEMANAGER);

  private static final int READY_PERIOD_MS = 100;

  private static final int REPORT_INTERVAL_MS = 500;
  private static final int RIT_INTERVAL_MS = 200;
  private static final String LOCALHOST = "localhost";
  private static final String LOOPBACK = "127.0.0.1";
  private static final long LEASE_HARD_LIMIT_S = 7 * 24 * 3600;
  private static final int CONTAINER_MB = 384;
  private static final int CONTAINER_HEAP_MB = 256;
  private static final int NODE_MB = 2048;
  private static final int NODE_VCORES = 4;

  private final ClusterState state;
  private final ClusterDirectory directory;
  private final Installation installation;

  ClusterConf(ClusterState state, ClusterDirectory directory, Installation installation) {
    this.state = state;
    this.directory = directory;
    this.installation = installation;
  }

  /** Writes what clients need to find the cluster. */
  void writeClient() throws IOException {
    Path conf = directory.clientConf();
    Site site = shared();
    state.conf.forEach(site::set);
    site.write(conf);
    copy("/log4j.properties", conf.resolve("log4j.properties"));
  }

  /** Writes a daemon's configuration directory. */
  void writeDaemon(DaemonState daemon) throws IOException {
    Path conf = directory.conf(daemon.name);
    Site site = shared();
    site.set("hadoop.tmp.dir", directory.data(daemon.name).resolve("tmp"));
    addRole(site, daemon);
    SiteFile own = daemon.role.ownSiteFile();
    // Hadoop's login looks into core-site.xml only.
    state.conf.forEach(
        (key, value) ->
            site.set(SiteFile.of(key) == SiteFile.CORE ? SiteFile.CORE : own, key, value));
    daemon.options.conf().forEach((key, value) -> site.set(own, key, value));
    site.write(conf);
    if (daemon.role.isHBase()) {
      copy("daemon-log4j2.properties", conf.resolve("log4j2.properties"));
    } else {
      copy("daemon-log4j.properties", conf.resolve("log4j.properties"));
    }
    int period = state.metricsPeriodMillis;
    if (period == 0 && READY_BY_METRICS.contains(daemon.role)) {
      period = READY_PERIOD_MS;
    }
    if (period > 0) {
      Files.writeString(
          conf.resolve("hadoop-metrics2.properties"), "*.periodMillis=" + period + "\n");
    }
    // The published HDFS jar lacks its web pages, without whose directories the daemons do not
    // start.
    if (daemon.role == Role.NAMENODE) {
      Files.createDirectories(conf.resolve("webapps/hdfs"));
    } else if (daemon.role == Role.DATANODE) {
      Files.createDirectories(conf.resolve("webapps/datanode"));
    }
    // So do the jars of some versions of HBase; that of the build has its pages.
    boolean hasPages = daemon.role == Role.MASTER || daemon.role == Role.REGIONSERVER;
    if (hasPages && !daemon.options.classPath().isEmpty()) {
      Files.createDirectories(conf.resolve("hbase-webapps").resolve(daemon.role.label()));
    }
    if (daemon.role == Role.RESOURCEMANAGER) {
      copy("capacity-scheduler.xml", conf.resolve("capacity-scheduler.xml"));
    }
  }

  private static void copy(String resource, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    try (InputStream in = ClusterConf.class.getResourceAsStream(resource)) {
      Files.copy(in, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * What daemons and clients have in common: the addresses, and what a file or a job is made with.
   */
  private Site shared() {
    Site site = new Site();
    site.set("fs.defaultFS", "hdfs://" + address(state.first(Role.NAMENODE), "rpc"));
    site.set("dfs.replication", state.replication);
    if (state.has(Role.ZOOKEEPER)) {
      site.set("hbase.zookeeper.quorum", LOCALHOST);
      site.set("hbase.zookeeper.property.clientPort", state.first(Role.ZOOKEEPER).port("client"));
    }
    if (state.has(Role.RESOURCEMANAGER)) {
      addYarn(site);
      addMapReduce(site);
    }
    return site;
  }

  private void addYarn(Site site) {
    DaemonState manager = state.first(Role.RESOURCEMANAGER);
    site.set("yarn.resourcemanager.hostname", LOCALHOST);
    site.set("yarn.resourcemanager.address", address(manager, "rpc"));
    site.set("yarn.resourcemanager.scheduler.address", address(manager, "scheduler"));
    site.set("yarn.resourcemanager.resource-tracker.address", address(manager, "tracker"));
    site.set("yarn.resourcemanager.admin.address", address(manager, "admin"));
    site.set("yarn.resourcemanager.webapp.address", address(manager, "http"));
    site.set("yarn.application.classpath", installation.jarsWildcard());
  }

  private void addMapReduce(Site site) {
    String adminOptions = String.join(" ", containerJvmOptions());
    String heap = "-Xmx" + CONTAINER_HEAP_MB + "m";
    site.set("mapreduce.framework.name", "yarn");
    site.set("mapreduce.application.classpath", installation.jarsWildcard());
    site.set("yarn.app.mapreduce.am.resource.mb", CONTAINER_MB);
    site.set("yarn.app.mapreduce.am.command-opts", heap);
    site.set("yarn.app.mapreduce.am.admin-command-opts", adminOptions);
    // With -Xmx in the users' own keys and the rest here, a job may set the one and keep the other.
    for (String task : new String[] {"map", "reduce"}) {
      site.set("mapreduce." + task + ".memory.mb", CONTAINER_MB);
      site.set("mapreduce." + task + ".java.opts", heap);
      site.set("mapreduce.admin." + task + ".child.java.opts", adminOptions);
    }
    site.set("mapreduce.task.io.sort.mb", 64);
    String libraryPath = "LD_LIBRARY_PATH=" + installation.nativeDirectory();
    site.set("mapreduce.admin.user.env", libraryPath);
    site.set("yarn.app.mapreduce.am.admin.user.env", libraryPath);
  }

  private List<String> containerJvmOptions() {
    List<String> options = new ArrayList<>(installation.jvmFlags());
    options.addAll(JavaCommand.furtherOptions());
    options.add("-XX:+UseSerialGC");
    options.add("-D" + ClusterProcesses.PROPERTY + "=" + state.id);
    return options;
  }

  private void addRole(Site site, DaemonState daemon) {
    switch (daemon.role) {
      case NAMENODE:
        addNameNode(site, daemon);
        break;
      case DATANODE:
        addDataNode(site, daemon);
        break;
      case ZOOKEEPER:
        addZooKeeper(site, daemon);
        break;
      case MASTER:
        addHBase(site, daemon, "hbase.master");
        // With all of them there, the Master need not wait for more, as it would for 4.5 s.
        site.set("hbase.master.wait.on.regionservers.maxtostart", state.count(Role.REGIONSERVER));
        break;
      case REGIONSERVER:
        addHBase(site, daemon, "hbase.regionserver");
        addRegionServer(site, daemon);
        break;
      case RESOURCEMANAGER:
        site.set("yarn.resourcemanager.bind-host", LOOPBACK);
        site.set("yarn.scheduler.minimum-allocation-mb", 128);
        break;
      case NODEMANAGER:
        addNodeManager(site, daemon);
        break;
    }
  }

  private void addNameNode(Site site, DaemonState daemon) {
    site.set("dfs.namenode.http-address", loopback(daemon, "http"));
    site.set("dfs.namenode.name.dir", directory.nameNodeImage(daemon.name).toUri());
    // A restarted NameNode need not wait for stragglers: there are none.
    site.set("dfs.namenode.safemode.extension", 0);
    site.set("dfs.namenode.datanode.registration.ip-hostname-check", false);
    // HBase 2.6.1's WAL breaks the lease renewer of Hadoop 3.4 (HBASE-28955); with the usual limit
    // of 20 minutes the NameNode would close the WAL of a running RegionServer.
    site.set("dfs.namenode.lease-hard-limit-sec", LEASE_HARD_LIMIT_S);
  }

  private void addDataNode(Site site, DaemonState daemon) {
    site.set("dfs.datanode.address", loopback(daemon, "data"));
    site.set("dfs.datanode.ipc.address", loopback(daemon, "ipc"));
    site.set("dfs.datanode.http.address", loopback(daemon, "http"));
    site.set("dfs.datanode.hostname", LOCALHOST);
    site.set(
        "dfs.datanode.data.dir", directory.disks().resolve(daemon.name).resolve("dfs").toUri());
    if (state.diskKind != DiskKind.DIR) {
      // By default HDFS leaves a GiB of a volume unused; a disk of its own can be filled.
      site.set("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", 0);
    }
    // No reads of its own in the background: they would show in a trace of the disk.
    site.set("dfs.datanode.scan.period.hours", -1);
    // The first comparison of directories would be at a random time in the first six hours.
    site.set("dfs.datanode.directoryscan.interval", -1);
    site.set("fs.getspaceused.classname", "org.apache.hadoop.fs.DFCachingGetSpaceUsed");
    if (daemon.options.hasAgent()) {
      site.set(DataNodeKeys.HIGHEST.name(), "rt:0");
    }
  }

  private void addZooKeeper(Site site, DaemonState daemon) {
    site.set("hbase.zookeeper.property.dataDir", directory.data(daemon.name));
    site.set("hbase.zookeeper.property.clientPortAddress", LOOPBACK);
    site.set("hbase.zookeeper.property.admin.enableServer", false);
  }

  private void addHBase(Site site, DaemonState daemon, String prefix) {
    site.set("hbase.rootdir", "hdfs://" + address(state.first(Role.NAMENODE), "rpc") + "/hbase");
    site.set("hbase.cluster.distributed", true);
    site.set("hbase.tmp.dir", directory.data(daemon.name).resolve("hbase"));
    site.set("hbase.master.hostname", LOCALHOST);
    site.set("hbase.unsafe.regionserver.hostname", LOCALHOST);
    // The Master assigns regions only to a RegionServer that has reported; the default is 3 s.
    site.set("hbase.regionserver.msginterval", REPORT_INTERVAL_MS);
    // The Master counts the regions in transition, which Readiness asks for, once in 60 s by
    // default.
    site.set("hbase.assignment.rit.chore.interval.msec", RIT_INTERVAL_MS);
    site.set(prefix + ".port", daemon.port("rpc"));
    site.set(prefix + ".ipc.address", LOOPBACK);
    site.set(prefix + ".info.port", daemon.port("http"));
    site.set(prefix + ".info.bindAddress", LOOPBACK);
  }

  private void addRegionServer(Site site, DaemonState daemon) {
    // Room for indexes and bloom filters, so that a cold Get is one read of the disk, but not for
    // the data of a table that is meant to be read from the disk.
    site.set("hfile.block.cache.size", 0.1);
    if (daemon.options.hasAgent()) {
      site.set(
          "hbase.coprocessor.region.classes",
          "org.hadoopprio.hbase.regionserver.IoPriorityObserver");
      site.set(
          "hbase.region.server.rpc.scheduler.factory.class",
          "org.hadoopprio.hbase.regionserver.IoPriorityRpcSchedulerFactory");
      site.set("hbase.regionserver.io.priority.highest", "rt:0");
    }
  }

  private void addNodeManager(Site site, DaemonState daemon) {
    Path data = directory.data(daemon.name);
    site.set("yarn.nodemanager.bind-host", LOOPBACK);
    site.set("yarn.nodemanager.hostname", LOCALHOST);
    site.set("yarn.nodemanager.address", address(daemon, "rpc"));
    site.set("yarn.nodemanager.localizer.address", address(daemon, "localizer"));
    site.set("yarn.nodemanager.webapp.address", address(daemon, "http"));
    site.set("yarn.nodemanager.local-dirs", data.resolve("local"));
    site.set("yarn.nodemanager.log-dirs", directory.logs().resolve("containers"));
    site.set("yarn.nodemanager.resource.memory-mb", NODE_MB);
    site.set("yarn.nodemanager.resource.cpu-vcores", NODE_VCORES);
    site.set("yarn.nodemanager.pmem-check-enabled", false);
    site.set("yarn.nodemanager.vmem-check-enabled", false);
    // A developer's disk is often nearly full.
    site.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", 100);
    site.set("yarn.nodemanager.aux-services", "mapreduce_shuffle");
    site.set("mapreduce.shuffle.port", daemon.port("shuffle"));
    site.set(
        "yarn.nodemanager.env-whitelist", "JAVA_HOME,PATH,LANG,TZ," + ClusterProcesses.VARIABLE);
  }

  private static String address(DaemonState daemon, String port) {
    return LOCALHOST + ":" + daemon.port(port);
  }

  private static String loopback(DaemonState daemon, String port) {
    return LOOPBACK + ":" + daemon.port(port);
  }
}
