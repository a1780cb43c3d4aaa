// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The options of a daemon's JVM. Not thread-safe. */
public final class DaemonOptions {

  private boolean agent;
  private boolean nativeHadoop = true;
  private int heapMb;
  private int memoryMb;
  private String javaHome = System.getProperty("java.home");
  private String release;
  private final Map<String, String> conf = new TreeMap<>();
  private final Map<String, String> env = new TreeMap<>();
  private final List<String> jvmOptions = new ArrayList<>();
  private final List<String> classPath = new ArrayList<>();
  private final List<String> wrapper = new ArrayList<>();

  DaemonOptions(Role role) {
    this.agent = role.usesAgent();
    this.heapMb = role.defaultHeapMb();
  }

  /** For Jackson. */
  @SuppressWarnings("unused")
  private DaemonOptions() {}

  /**
   * Whether the daemon runs with the agent; by default DataNodes, the Master and the RegionServer
   * do. A RegionServer with the agent also gets the observer and the RPC scheduler of hbase-prio.
   */
  public DaemonOptions agent(boolean on) {
    this.agent = on;
    return this;
  }

  /**
   * The agent and the RegionServer part are those of another release.
   *
   * @param directory of the unpacked release; empty for the built project
   */
  public DaemonOptions release(Optional<Path> directory) {
    this.release = directory.map(Path::toString).orElse(null);
    return this;
  }

  /** Without the agent: stock Hadoop or HBase. */
  public DaemonOptions stock() {
    return agent(false);
  }

  /** Whether libhadoop can be loaded; by default it can. */
  public DaemonOptions nativeHadoop(boolean on) {
    this.nativeHadoop = on;
    return this;
  }

  /** The largest heap, in MiB. */
  public DaemonOptions heapMb(int megabytes) {
    this.heapMb = megabytes;
    return this;
  }

  /**
   * The daemon's memory limit in MiB, page cache of what it reads and writes included; 0, the
   * default, for no limit. A limit needs a memory control group.
   */
  public DaemonOptions memoryMb(int megabytes) {
    this.memoryMb = megabytes;
    return this;
  }

  /** Runs it on another Java than that of the JVM which describes it. */
  public DaemonOptions javaHome(Path home) {
    this.javaHome = home.toString();
    return this;
  }

  /** Sets a key of the daemon's configuration, over all that the cluster sets itself. */
  public DaemonOptions conf(String key, String value) {
    conf.put(key, value);
    return this;
  }

  /** Sets an environment variable. */
  public DaemonOptions env(String name, String value) {
    env.put(name, value);
    return this;
  }

  /** Adds a JVM option. */
  public DaemonOptions jvmOption(String option) {
    jvmOptions.add(option);
    return this;
  }

  /** Sets a system property. */
  public DaemonOptions systemProperty(String name, String value) {
    return jvmOption("-D" + name + "=" + value);
  }

  /**
   * Replaces the class path, all of it but the configuration directory, to run another version of
   * Hadoop or HBase.
   */
  public DaemonOptions classPath(List<Path> entries) {
    classPath.clear();
    entries.forEach(entry -> classPath.add(entry.toString()));
    return this;
  }

  /**
   * Starts the JVM through a command that replaces itself by what follows it, such as setpriv(1).
   */
  public DaemonOptions wrapper(String... command) {
    wrapper.clear();
    wrapper.addAll(List.of(command));
    return this;
  }

  boolean hasAgent() {
    return agent;
  }

  /** The directory of another release than the built one. */
  Optional<Path> release() {
    return Optional.ofNullable(release).map(Path::of);
  }

  boolean hasNativeHadoop() {
    return nativeHadoop;
  }

  int heapMb() {
    return heapMb;
  }

  /** 0 for no limit. */
  int memoryMb() {
    return memoryMb;
  }

  Path javaHome() {
    return Path.of(javaHome);
  }

  Map<String, String> conf() {
    return conf;
  }

  Map<String, String> env() {
    return env;
  }

  List<String> jvmOptions() {
    return jvmOptions;
  }

  List<String> wrapper() {
    return wrapper;
  }

  /** The class path asked for; empty for the built one. */
  List<Path> classPath() {
    return classPath.stream().map(Path::of).collect(Collectors.toList());
  }
}
