// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.lab.cluster.ClusterState.DaemonState;

/** Starts daemons, each a process of its own that outlives this one. Thread-safe. */
final class DaemonLauncher {

  /** Of a release. */
  private static final String RELEASED_AGENT = "hdfs-prio-agent.jar";

  private static final String RELEASED_HBASE = "hbase-prio.jar";

  /** The variables that daemons inherit; others could change what they do. */
  private static final List<String> KEPT_VARIABLES =
      List.of("PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ");

  private static final long FORMAT_TIMEOUT_S = 120;

  private final ClusterState state;
  private final ClusterDirectory directory;
  private final Installation installation;
  private boolean closed;

  DaemonLauncher(ClusterState state, ClusterDirectory directory, Installation installation) {
    this.state = state;
    this.directory = directory;
    this.installation = installation;
  }

  /** Refuses to start daemons from now on, so that all running ones can be stopped. */
  synchronized void close() {
    closed = true;
  }

  /** Starts a daemon and writes its pid file. */
  void start(DaemonState daemon) throws IOException {
    Process process = launch(daemon, daemon.role.arguments());
    Files.writeString(directory.pidFile(daemon.name), Long.toString(process.pid()));
  }

  /** Gives the NameNode an empty file system. */
  void format(DaemonState nameNode) throws IOException {
    Path image = directory.nameNodeImage(nameNode.name);
    NameNodeImage kept =
        new NameNodeImage(
            installation.home().resolve("lab/cluster/target/namenodes"), classPath(nameNode));
    if (!kept.copyTo(image)) {
      runFormat(nameNode);
      kept.keep(image);
    }
  }

  private void runFormat(DaemonState nameNode) throws IOException {
    Process process = launch(nameNode, List.of("-format", "-nonInteractive"));
    try {
      if (!process.waitFor(FORMAT_TIMEOUT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw failed(nameNode, "formatting took more than " + FORMAT_TIMEOUT_S + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while the NameNode was being formatted", e);
    }
    if (process.exitValue() != 0) {
      throw failed(nameNode, "formatting ended with " + process.exitValue());
    }
  }

  private ClusterException failed(DaemonState daemon, String what) throws IOException {
    Daemon shown = new Daemon(directory, new ClusterProcesses(state.id), daemon);
    return Readiness.failure(shown, what);
  }

  private synchronized Process launch(DaemonState daemon, List<String> arguments)
      throws IOException {
    if (closed) {
      throw new ClusterException("the cluster is being stopped");
    }
    List<String> command = new ArrayList<>();
    // In a session of its own: Ctrl-C in this terminal must reach only this process.
    command.add("setsid");
    command.addAll(memoryGroup(daemon));
    command.addAll(daemon.options.wrapper());
    command.addAll(javaCommand(daemon).toList(daemon.role.mainClass(), arguments));
    Path work = Files.createDirectories(directory.data(daemon.name));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.output(daemon.name).toFile()));
    setEnvironment(builder.environment(), daemon.options);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new ClusterException("cannot start " + daemon.name + ": " + e.getMessage(), e);
    }
  }

  /** The prefix that limits the daemon's memory; empty if it has no limit. */
  private List<String> memoryGroup(DaemonState daemon) throws IOException {
    int megabytes = daemon.options.memoryMb();
    if (megabytes == 0) {
      return List.of();
    }
    MemoryGroup group =
        MemoryGroup.of(state.memoryGroup(daemon))
            .orElseThrow(
                () ->
                    new ClusterException(
                        "cannot limit the memory of "
                            + daemon.name
                            + ": there is no memory control group that this process may change"));
    group.limit((long) megabytes << 20);
    return group.prefix();
  }

  private void setEnvironment(Map<String, String> environment, DaemonOptions options) {
    environment.keySet().retainAll(KEPT_VARIABLES);
    environment.put("JAVA_HOME", options.javaHome().toString());
    environment.put(ClusterProcesses.VARIABLE, state.id);
    environment.putAll(options.env());
  }

  private JavaCommand javaCommand(DaemonState daemon) throws IOException {
    DaemonOptions options = daemon.options;
    Path tmp = Files.createDirectories(directory.data(daemon.name).resolve("tmp"));
    JavaCommand command =
        new JavaCommand(installation, state.id)
            .javaHome(options.javaHome())
            .option("-Xmx" + options.heapMb() + "m")
            .option("-XX:+UseSerialGC")
            .option("-XX:+ExitOnOutOfMemoryError")
            .property("hprio.daemon", daemon.name)
            .property("hprio.log.file", directory.log(daemon.name))
            .property("java.io.tmpdir", tmp)
            .nativeHadoop(options.hasNativeHadoop())
            .classPath(directory.conf(daemon.name));
    if (options.hasAgent()) {
      command.agent(
          options
              .release()
              .map(release -> release.resolve(RELEASED_AGENT))
              .orElse(installation.agentJar()));
    }
    // Behind the agent: of two agents in one process the first works.
    command.options(options.jvmOptions());
    if (daemon.role.isHBase()) {
      // Of two jars with the same classes the first is used.
      options.release().ifPresent(release -> command.classPath(release.resolve(RELEASED_HBASE)));
    }
    return command.classPath(classPath(daemon));
  }

  private List<Path> classPath(DaemonState daemon) throws IOException {
    if (!daemon.options.classPath().isEmpty()) {
      return daemon.options.classPath();
    }
    return daemon.role.isHBase() ? installation.hbaseJars() : installation.jars();
  }
}
