// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.hadoopprio.lab.cluster.ClusterState.DaemonState;
import org.hadoopprio.lab.disk.Disk;
import org.hadoopprio.tools.trace.DeviceNumber;

/**
 * A cluster of real daemons on this machine, each a JVM of its own: HDFS, and HBase and YARN where
 * asked for. All of it listens on the loopback address only.
 *
 * <p>Its directory holds a state file, so any process can {@linkplain #attach attach} to it and
 * stop it. Methods that start or stop daemons exclude each other; the others are safe for use by
 * several threads.
 */
public final class LocalCluster implements Closeable {

  /** How long a daemon that stores data has to stop in order. */
  private static final long STOP_TIMEOUT_MS = 20_000;

  /** The same for another; a NodeManager would take 17 seconds for nothing. */
  private static final long SHORT_STOP_TIMEOUT_MS = 1_000;

  private static final Set<Role> YARN = Set.of(Role.NODEMANAGER, Role.RESOURCEMANAGER);

  /** The order in which daemons are stopped that are started again. */
  private static final List<Set<Role>> STOP_ORDER =
      List.of(
          Set.of(Role.REGIONSERVER),
          Set.of(Role.MASTER),
          Set.of(Role.ZOOKEEPER, Role.DATANODE),
          Set.of(Role.NAMENODE));

  private final Installation installation;
  private final ClusterDirectory directory;
  private final ClusterState state;
  private final ClusterProcesses processes;
  private final ClusterStart starting;
  private final Progress progress;
  private final Object stopLock = new Object();
  private boolean stopped;

  LocalCluster(
      Installation installation,
      ClusterDirectory directory,
      ClusterState state,
      Progress progress) {
    this.installation = installation;
    this.directory = directory;
    this.state = state;
    this.progress = progress;
    this.processes = new ClusterProcesses(state.id);
    this.starting =
        new ClusterStart(this, state, new DaemonLauncher(state, directory, installation), progress);
  }

  /** A builder of a cluster in a directory. */
  public static ClusterBuilder builder(Path directory) {
    return new ClusterBuilder(directory);
  }

  /**
   * The cluster that was started in a directory, by this process or another, whether it runs, was
   * killed or started only in part.
   *
   * @return empty when there is none
   */
  public static Optional<LocalCluster> find(Path directory) throws IOException {
    return find(directory, Progress.silent());
  }

  /** Like {@link #find(Path)}, with progress messages of later operations. */
  public static Optional<LocalCluster> find(Path directory, Progress progress) throws IOException {
    ClusterDirectory place = new ClusterDirectory(directory);
    Optional<ClusterState> state = place.readState();
    if (state.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new LocalCluster(Installation.find(), place, state.get(), progress));
  }

  /**
   * Like {@link #find}.
   *
   * @throws ClusterException if there is no cluster
   */
  public static LocalCluster attach(Path directory) throws IOException {
    return find(directory)
        .orElseThrow(() -> new ClusterException("there is no cluster in " + directory));
  }

  /** The identifier in the command line and environment of every process of this cluster. */
  public String id() {
    return state.id;
  }

  /** The directory it was started in. */
  public Path directory() {
    return directory.root();
  }

  /** Its daemons, running or not. */
  public List<Daemon> daemons() {
    return state.daemons.stream().map(this::daemon).collect(Collectors.toList());
  }

  /** Its daemons of one role. */
  public List<Daemon> daemons(Role role) {
    return daemons().stream().filter(daemon -> daemon.role() == role).collect(Collectors.toList());
  }

  /**
   * The daemon of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Daemon daemon(String name) {
    return daemons().stream()
        .filter(daemon -> daemon.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no daemon \""
                        + name
                        + "\", only "
                        + daemons().stream().map(Daemon::name).collect(Collectors.toList())));
  }

  /**
   * The first daemon of a role.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Daemon daemon(Role role) {
    DaemonState found = state.first(role);
    if (found == null) {
      throw new IllegalArgumentException("this cluster has no " + role.label());
    }
    return daemon(found);
  }

  private Daemon daemon(DaemonState daemon) {
    return new Daemon(directory, processes, daemon);
  }

  /** Whether every daemon runs. */
  public boolean isRunning() throws IOException {
    for (Daemon daemon : daemons()) {
      if (!daemon.isRunning()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Checks that no daemon has ended; call it in loops that wait for a daemon.
   *
   * @throws ClusterException if one does not run, with the end of its log
   */
  public void requireRunning() throws IOException {
    Readiness.requireRunning(daemons());
  }

  /** Whether {@link ClusterBuilder#littlePageCache} was asked for and could be done. */
  public boolean hasLittlePageCache() {
    return state.daemons.stream()
        .anyMatch(daemon -> daemon.role == Role.DATANODE && daemon.options.memoryMb() > 0);
  }

  /** The DataNodes' disks. */
  public List<Disk> disks() throws IOException {
    List<Disk> disks = new ArrayList<>();
    for (String name : state.disks) {
      disks.add(state.diskKind.open(directory.disks(), name));
    }
    return disks;
  }

  /** The devices below the disks, each once; for a block trace. */
  public Collection<DeviceNumber> devices() throws IOException {
    return disks().stream()
        .flatMap(disk -> disk.device().stream())
        .distinct()
        .collect(Collectors.toList());
  }

  /** Drops the DataNodes' files from the page cache, see {@link Disk#evictPageCache}. */
  public void evictPageCache() throws IOException {
    for (Disk disk : disks()) {
      disk.evictPageCache();
    }
  }

  /** A configuration for clients of HDFS and YARN; a new one each time. */
  public Configuration hadoopConf() {
    Configuration conf = new HdfsConfiguration();
    Site.read(directory.clientConf(), conf);
    return conf;
  }

  /** The same for one that writes files before something is measured: it closes them sooner. */
  public Configuration writerConf() {
    Configuration conf = hadoopConf();
    QuickClose.KEYS.forEach(conf::set);
    return conf;
  }

  /** A configuration for clients of HBase, HDFS and YARN; a new one each time. */
  public Configuration hbaseConf() {
    Configuration conf = HBaseConfiguration.create();
    Site.read(directory.clientConf(), conf);
    return conf;
  }

  /** Where the clients' site files are. */
  public Path clientConfDirectory() {
    return directory.clientConf();
  }

  /** A client in a JVM of its own, whose main class may belong to another module than this one. */
  public ClientCommand client(Class<?> mainClass, String... arguments) throws IOException {
    return client(mainClass.getName(), arguments).addClassPath(Installation.classesOf(mainClass));
  }

  /** A client in a JVM of its own, whose main class is in the cluster's class path. */
  public ClientCommand client(String mainClass, String... arguments) throws IOException {
    return new ClientCommand(
        installation, directory.clientConf(), state.id, mainClass, List.of(arguments));
  }

  /**
   * The MBeans of a daemon that a query finds, such as {@code
   * Hadoop:service=DataNode,name=FSDatasetState*}; an empty array when there is none.
   */
  public JsonNode jmx(Daemon daemon, String query) throws IOException {
    return DaemonHttp.jmx(daemon.port("http"), query);
  }

  /** What a page of a daemon's web server holds, such as {@code /prom}. */
  public String page(Daemon daemon, String path) throws IOException {
    return DaemonHttp.get(daemon.port("http"), path);
  }

  /** Sets the level of a logger in a running daemon; DEBUG, INFO and so on. */
  public void setLogLevel(Daemon daemon, String logger, String level) throws IOException {
    DaemonHttp.setLogLevel(daemon.port("http"), logger, level);
  }

  /** Stops one daemon in order; its data stays. */
  public synchronized void stop(Daemon daemon) throws IOException {
    boolean yarn = YARN.contains(daemon.role());
    processes.stop(handles(daemon), yarn ? SHORT_STOP_TIMEOUT_MS : STOP_TIMEOUT_MS);
  }

  /** Kills one daemon. */
  public synchronized void kill(Daemon daemon) throws IOException {
    processes.kill(handles(daemon));
  }

  /** Starts one daemon that was stopped, and waits until its part of the cluster is ready again. */
  public synchronized void start(Daemon daemon) throws IOException {
    if (daemon.isRunning()) {
      throw new ClusterException(daemon.name() + " already runs");
    }
    starting.start(daemon);
  }

  /**
   * Stops one daemon, changes its options, and starts it again on the same ports and data.
   *
   * @param change changes the options that the daemon was last started with
   */
  public synchronized void restart(Daemon daemon, Consumer<DaemonOptions> change)
      throws IOException {
    stop(daemon);
    change.accept(daemon.state().options);
    new ClusterConf(state, directory, installation).writeDaemon(daemon.state());
    directory.writeState(state);
    start(daemon);
  }

  /**
   * Stops all daemons of some roles, changes their options, and starts them again on the same ports
   * and data, in an order in which each finds those that it needs.
   *
   * @param change changes the options that a daemon was last started with
   */
  public synchronized void restart(Set<Role> roles, BiConsumer<Role, DaemonOptions> change)
      throws IOException {
    for (Set<Role> next : STOP_ORDER) {
      for (Daemon daemon : daemons()) {
        if (next.contains(daemon.role()) && roles.contains(daemon.role())) {
          stop(daemon);
        }
      }
    }
    ClusterConf conf = new ClusterConf(state, directory, installation);
    for (DaemonState daemon : state.daemons) {
      if (roles.contains(daemon.role)) {
        change.accept(daemon.role, daemon.options);
        conf.writeDaemon(daemon);
      }
    }
    directory.writeState(state);
    starting.startAgain(roles);
  }

  /**
   * Changes the configuration of a running DataNode without a restart, as {@code hdfs dfsadmin
   * -reconfig} does, or that of a RegionServer, as {@code update_config} does.
   *
   * @param change changes the options that the daemon was last started with; keys that are not
   *     reloadable take effect at the next restart
   * @throws IOException if the daemon refuses a value, which its configuration files keep
   */
  public synchronized void reconfigure(Daemon daemon, Consumer<DaemonOptions> change)
      throws IOException {
    change.accept(daemon.state().options);
    new ClusterConf(state, directory, installation).writeDaemon(daemon.state());
    directory.writeState(state);
    if (daemon.role() == Role.REGIONSERVER) {
      ReconfigurationRequest.sendToRegionServer(daemon, hbaseConf());
    } else {
      ReconfigurationRequest.send(daemon, hadoopConf());
    }
  }

  /** Starts all daemons and waits until all are ready. */
  void startAll() throws IOException {
    progress.say("starting " + state.daemons.size() + " daemons, logs in " + directory.logs());
    starting.startAll();
  }

  /**
   * Kills every process of the cluster, with clients and YARN containers, and removes the disks
   * with all data and the state file; logs and configuration stay. A second call does nothing.
   */
  public void stop() throws IOException {
    starting.close();
    synchronized (stopLock) {
      if (stopped) {
        return;
      }
      // As all data go, nothing has to end in order. A daemon may start others meanwhile.
      for (List<ProcessHandle> left = processes.all(); !left.isEmpty(); left = processes.all()) {
        progress.say("stopping " + left.size() + " processes of the cluster");
        processes.kill(left);
      }
      removeMemoryGroups();
      for (String disk : state.disks) {
        state.diskKind.remove(directory.disks(), disk);
      }
      directory.removeData();
      stopped = true;
      progress.say("stopped");
    }
  }

  private void removeMemoryGroups() throws IOException {
    for (DaemonState daemon : state.daemons) {
      Optional<MemoryGroup> group = MemoryGroup.of(state.memoryGroup(daemon));
      if (group.isPresent()) {
        group.get().remove();
      }
    }
  }

  /** Stops the cluster, see {@link #stop()}. */
  @Override
  public void close() throws IOException {
    stop();
  }

  private static List<ProcessHandle> handles(Daemon daemon) throws IOException {
    return daemon.pid().stream()
        .mapToObj(ProcessHandle::of)
        .flatMap(Optional::stream)
        .collect(Collectors.toList());
  }
}
