// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client JVM of a cluster: by default with the agent, libhadoop, the cluster's configuration and
 * all jars. It carries the cluster's mark, so it ends with the cluster. Not safe for use by several
 * threads.
 */
public final class ClientCommand {

  /** The name of the agent's jar in printed commands. */
  private static final String AGENT_NAME = "hdfs-prio-agent.jar";

  private final Installation installation;
  private final Path conf;
  private final String clusterId;
  private final String mainClass;
  private final List<String> arguments = new ArrayList<>();
  private final List<String> jvmOptions = new ArrayList<>();
  private final Map<String, String> environment = new TreeMap<>();
  private List<Path> classPath;
  private boolean agent = true;
  private Path javaHome = Path.of(System.getProperty("java.home"));

  ClientCommand(
      Installation installation,
      Path conf,
      String clusterId,
      String mainClass,
      List<String> arguments)
      throws IOException {
    this.installation = installation;
    this.conf = conf;
    this.clusterId = clusterId;
    this.mainClass = mainClass;
    this.arguments.addAll(arguments);
    this.classPath = new ArrayList<>(installation.jars());
    this.classPath.add(0, installation.ownClasses());
  }

  /** Without the agent: a stock client, which has no class of hdfs-prio. */
  public ClientCommand stock() {
    this.agent = false;
    return this;
  }

  /** Without the agent, but with its classes, for a client that refers to them. */
  public ClientCommand agentClassesOnly() {
    return stock().addClassPath(installation.agentJar());
  }

  /** Runs it on another Java than this JVM's. */
  public ClientCommand javaHome(Path home) {
    this.javaHome = home;
    return this;
  }

  /** Adds arguments behind those that are there. */
  public ClientCommand addArguments(String... more) {
    arguments.addAll(List.of(more));
    return this;
  }

  /** Adds a JVM option. */
  public ClientCommand jvmOption(String option) {
    jvmOptions.add(option);
    return this;
  }

  /** Sets an environment variable. */
  public ClientCommand env(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Appends the caller's classes to the class path. */
  public ClientCommand addClassPath(Path entry) {
    classPath.add(entry);
    return this;
  }

  /** Replaces the class path, all but the configuration, to run another version of Hadoop. */
  public ClientCommand classPath(List<Path> entries) {
    this.classPath = new ArrayList<>(entries);
    return this;
  }

  /**
   * The command as text: environment, agent, main class and arguments, without this machine's
   * paths.
   */
  public String toText() {
    StringBuilder text = new StringBuilder();
    environment.forEach((name, value) -> text.append(name).append('=').append(value).append(' '));
    text.append("java ");
    if (agent) {
      text.append("-javaagent:").append(AGENT_NAME).append(' ');
    }
    text.append(mainClass);
    for (String argument : arguments) {
      text.append(' ').append(argument.replace(installation.agentJar().toString(), AGENT_NAME));
    }
    return text.toString();
  }

  /** The process to start; its streams are not redirected. */
  public ProcessBuilder toProcessBuilder() {
    JavaCommand java = new JavaCommand(installation, clusterId).javaHome(javaHome);
    if (agent) {
      java.agent(installation.agentJar());
    }
    List<String> command =
        java.nativeHadoop(true)
            .options(jvmOptions)
            .classPath(conf)
            .classPath(classPath)
            .toList(mainClass, arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put(ClusterProcesses.VARIABLE, clusterId);
    builder.environment().putAll(environment);
    return builder;
  }
}
