// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.hadoopprio.lab.cluster.ClusterState.DaemonState;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.DiskSettings;
import org.hadoopprio.lab.disk.Drive;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.disk.VirtualDisk;

/**
 * Describes and starts a cluster; by default HDFS with two DataNodes, HBase and YARN. Not
 * thread-safe.
 */
public final class ClusterBuilder {

  private static final long DEFAULT_DISK_BYTES = 16L << 30;

  /** A DataNode's heap, what a JVM needs beside it, and some 200 MiB of page cache. */
  private static final int LITTLE_MEMORY_MB = 512;

  private final Path root;
  private final Map<String, String> conf = new TreeMap<>();
  private final List<Consumer<DaemonState>> changes = new ArrayList<>();
  private Progress progress = new Progress(System.err);
  private DiskKind diskKind = DiskKind.best();
  private DiskSettings diskSettings = DiskSettings.of(DEFAULT_DISK_BYTES);
  private int dataNodes = 2;
  private int regionServers = 1;
  private int replication = 1;
  private boolean hbase = true;
  private boolean yarn = true;
  private boolean stopAtExit;
  private int metricsPeriodMillis;

  ClusterBuilder(Path root) {
    this.root = root;
  }

  /**
   * How many DataNodes, each with a disk of its own.
   *
   * @param count 1 or more
   */
  public ClusterBuilder dataNodes(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("a cluster needs 1 DataNode or more, not " + count);
    }
    this.dataNodes = count;
    return this;
  }

  /**
   * How many RegionServers HBase has; by default 1. Several are named {@code regionserver-1} and so
   * on.
   *
   * @param count 1 or more
   */
  public ClusterBuilder regionServers(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("HBase needs 1 RegionServer or more, not " + count);
    }
    this.regionServers = count;
    return this;
  }

  /** How many copies of a block HDFS keeps; by default 1. */
  public ClusterBuilder replication(int copies) {
    this.replication = copies;
    return this;
  }

  /**
   * Gives each DataNode little page cache, where this process may limit it; see {@link
   * LocalCluster#hasLittlePageCache}. What is read again and again, and is larger, comes from the
   * disk each time, and into pages that were in use a moment ago. Without a limit pages would be
   * taken from those that have been free for a while: the host of a virtual machine may have taken
   * these back (free page reporting), and needs some 10 us to provide one again, 0.7 ms for an
   * answer of the virtual disk.
   */
  public ClusterBuilder littlePageCache() throws IOException {
    return littlePageCache(LITTLE_MEMORY_MB);
  }

  /**
   * As {@link #littlePageCache()}, with another limit of a DataNode's memory.
   *
   * @param memoryMb in MiB; some 300 of them are not page cache
   */
  public ClusterBuilder littlePageCache(int memoryMb) throws IOException {
    int megabytes = MemoryGroup.areAllowed() ? memoryMb : 0;
    return configure(Role.DATANODE, options -> options.memoryMb(megabytes));
  }

  /** With or without ZooKeeper, Master and RegionServer. */
  public ClusterBuilder hbase(boolean on) {
    this.hbase = on;
    return this;
  }

  /** With or without ResourceManager and NodeManager. */
  public ClusterBuilder yarn(boolean on) {
    this.yarn = on;
    return this;
  }

  /** What kind of disks the DataNodes get; by default {@link DiskKind#best}. */
  public ClusterBuilder disk(DiskKind kind) {
    this.diskKind = kind;
    return this;
  }

  /** How large each DataNode's disk is, where its kind has a size; by default 16 GiB, sparse. */
  public ClusterBuilder diskBytes(long bytes) {
    this.diskSettings = diskSettings.withBytes(bytes);
    return this;
  }

  /** Which drive a virtual disk of each DataNode is; by default {@link VirtualDisk#DRIVE}. */
  public ClusterBuilder drive(Drive drive) {
    this.diskSettings = diskSettings.withDrive(drive);
    return this;
  }

  /**
   * How much the kernel reads ahead on each DataNode's disk; by default what a disk of its kind
   * has: a virtual one what the running kernel gives a SATA disk, or {@link ReadAhead#PROPERTY}.
   */
  public ClusterBuilder readAhead(ReadAhead readAhead) {
    this.diskSettings = diskSettings.withReadAhead(readAhead);
    return this;
  }

  /** Sets a key for every daemon and every client. */
  public ClusterBuilder conf(String key, String value) {
    conf.put(key, value);
    return this;
  }

  /** Clients and daemons ask sooner again for a file to be closed that cannot be yet. */
  public ClusterBuilder quickClose() {
    conf.putAll(QuickClose.KEYS);
    return this;
  }

  /**
   * How often daemons renew their metrics, 1 or more; by default Hadoop's 10 s, but often where the
   * kit itself looks at them.
   */
  public ClusterBuilder metricsPeriodMillis(int milliseconds) {
    this.metricsPeriodMillis = milliseconds;
    return this;
  }

  /** Changes the options of all daemons; changes are made in the order of the calls. */
  public ClusterBuilder configureAll(Consumer<DaemonOptions> change) {
    return configure(daemon -> true, change);
  }

  /** Changes the options of the daemons of a role. */
  public ClusterBuilder configure(Role role, Consumer<DaemonOptions> change) {
    return configure(daemon -> daemon.role == role, change);
  }

  /** Changes the options of one daemon, such as {@code datanode-2}. */
  public ClusterBuilder configure(String name, Consumer<DaemonOptions> change) {
    return configure(daemon -> daemon.name.equals(name), change);
  }

  private ClusterBuilder configure(Predicate<DaemonState> which, Consumer<DaemonOptions> change) {
    changes.add(
        daemon -> {
          if (which.test(daemon)) {
            change.accept(daemon.options);
          }
        });
    return this;
  }

  /** Starts all daemons without the agent. */
  public ClusterBuilder stock() {
    return configureAll(DaemonOptions::stock);
  }

  /** Whether the cluster is stopped when this JVM ends, by Ctrl-C too; by default it is not. */
  public ClusterBuilder stopAtExit(boolean on) {
    this.stopAtExit = on;
    return this;
  }

  /** Where progress messages go; by default standard error. */
  public ClusterBuilder progress(Progress to) {
    this.progress = to;
    return this;
  }

  /**
   * Starts the cluster and returns when all of it is ready. If the start fails, or this JVM ends
   * meanwhile, nothing is left running.
   *
   * @throws ClusterException if a cluster already runs in that directory, or a daemon fails to
   *     start; the message then has the end of its log
   */
  public LocalCluster start() throws IOException {
    Installation installation = Installation.find();
    ClusterDirectory directory = new ClusterDirectory(root);
    removeFormer();
    directory.prepare();
    ClusterState state = newState();
    directory.writeState(state);
    LocalCluster cluster = new LocalCluster(installation, directory, state, progress);
    Thread stopHook = new Thread(() -> stopQuietly(cluster), "cluster-stop");
    Runtime.getRuntime().addShutdownHook(stopHook);
    try {
      for (String disk : state.disks) {
        progress.say("making disk " + disk);
        diskKind.create(directory.disks(), disk, diskSettings);
      }
      writeConf(new ClusterConf(state, directory, installation), state);
      cluster.startAll();
    } catch (IOException | RuntimeException e) {
      stopAfterFailure(cluster, e);
      removeHook(stopHook);
      throw e;
    }
    if (!stopAtExit) {
      removeHook(stopHook);
    }
    return cluster;
  }

  private void removeFormer() throws IOException {
    Optional<LocalCluster> former = LocalCluster.find(root, progress);
    if (former.isEmpty()) {
      return;
    }
    for (Daemon daemon : former.get().daemons()) {
      if (daemon.isRunning()) {
        throw new ClusterException("a cluster already runs in " + root + "; stop it first");
      }
    }
    progress.say("removing what a former cluster has left");
    former.get().stop();
  }

  private ClusterState newState() throws IOException {
    ClusterState state = new ClusterState();
    state.id = UUID.randomUUID().toString();
    state.diskKind = diskKind;
    state.replication = replication;
    state.conf = conf;
    state.metricsPeriodMillis = metricsPeriodMillis;
    addDaemon(state, Role.NAMENODE, Role.NAMENODE.label());
    for (int i = 1; i <= dataNodes; i++) {
      String name = Role.DATANODE.label() + "-" + i;
      addDaemon(state, Role.DATANODE, name);
      state.disks.add(name);
    }
    if (hbase) {
      addDaemon(state, Role.ZOOKEEPER, Role.ZOOKEEPER.label());
      addDaemon(state, Role.MASTER, Role.MASTER.label());
      for (int i = 1; i <= regionServers; i++) {
        String label = Role.REGIONSERVER.label();
        addDaemon(state, Role.REGIONSERVER, regionServers == 1 ? label : label + "-" + i);
      }
    }
    if (yarn) {
      addDaemon(state, Role.RESOURCEMANAGER, Role.RESOURCEMANAGER.label());
      addDaemon(state, Role.NODEMANAGER, Role.NODEMANAGER.label());
    }
    addPorts(state);
    return state;
  }

  private void addDaemon(ClusterState state, Role role, String name) {
    DaemonState daemon = new DaemonState();
    daemon.name = name;
    daemon.role = role;
    daemon.options = new DaemonOptions(role);
    changes.forEach(change -> change.accept(daemon));
    state.daemons.add(daemon);
  }

  private static void addPorts(ClusterState state) throws IOException {
    int count = state.daemons.stream().mapToInt(d -> d.role.portNames().size()).sum();
    Iterator<Integer> free = Ports.free(count).iterator();
    for (DaemonState daemon : state.daemons) {
      for (String portName : daemon.role.portNames()) {
        daemon.ports.put(portName, free.next());
      }
    }
  }

  private static void writeConf(ClusterConf writer, ClusterState state) throws IOException {
    writer.writeClient();
    for (DaemonState daemon : state.daemons) {
      writer.writeDaemon(daemon);
    }
  }

  private static void stopAfterFailure(LocalCluster cluster, Exception failure) {
    try {
      cluster.stop();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void stopQuietly(LocalCluster cluster) {
    try {
      cluster.stop();
    } catch (IOException e) {
      throw new UncheckedIOException("the cluster could not be stopped", e);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending, the hook is at work.
      return;
    }
  }
}
