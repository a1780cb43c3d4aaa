// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.hadoopprio.lab.cluster.ClusterState.DaemonState;

/** One daemon of a cluster, running or not. */
public final class Daemon {

  private final ClusterDirectory directory;
  private final ClusterProcesses processes;
  private final DaemonState state;

  Daemon(ClusterDirectory directory, ClusterProcesses processes, DaemonState state) {
    this.directory = directory;
    this.processes = processes;
    this.state = state;
  }

  DaemonState state() {
    return state;
  }

  /** Its name: the role's, with a number from 1 for DataNodes ({@code datanode-1}). */
  public String name() {
    return state.name;
  }

  /** Its role. */
  public Role role() {
    return state.role;
  }

  /** Whether it is started with the agent. */
  public boolean hasAgent() {
    return state.options.hasAgent();
  }

  /** Its ports by name, see {@link Role#portNames}. */
  public Map<String, Integer> ports() {
    return new TreeMap<>(state.ports);
  }

  /**
   * One of its ports.
   *
   * @throws IllegalArgumentException if a daemon of its role has no port of that name
   */
  public int port(String portName) {
    Integer port = state.ports.get(portName);
    if (port == null) {
      throw new IllegalArgumentException(
          name() + " has no port \"" + portName + "\", only " + state.ports.keySet());
    }
    return port;
  }

  /** Its process's id; empty when it does not run. */
  public OptionalLong pid() throws IOException {
    try {
      long pid = Long.parseLong(Files.readString(directory.pidFile(name())).strip());
      return processes.isOurs(pid) ? OptionalLong.of(pid) : OptionalLong.empty();
    } catch (NoSuchFileException e) {
      return OptionalLong.empty();
    }
  }

  /** Whether its process is alive. */
  public boolean isRunning() throws IOException {
    return pid().isPresent();
  }

  /** The file it logs to. */
  public Path logFile() {
    return directory.log(name());
  }

  /** What its JVM writes to standard output and error. */
  public Path outputFile() {
    return directory.output(name());
  }

  /** Where its site files are. */
  public Path confDirectory() {
    return directory.conf(name());
  }
}
