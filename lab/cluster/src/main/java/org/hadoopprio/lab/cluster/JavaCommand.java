// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Builds the command line of a JVM. Not thread-safe. */
final class JavaCommand {

  /**
   * The system property with further options for every JVM of the clusters that this JVM starts,
   * separated by spaces; for tests, whose JVMs live too briefly for costly compilation.
   */
  static final String JVM_OPTIONS_PROPERTY = "hprio.jvm.options";

  private final Installation installation;
  private Path java;
  private final List<String> options = new ArrayList<>();
  private final List<Path> classPath = new ArrayList<>();

  JavaCommand(Installation installation, String clusterId) {
    this.installation = installation;
    java = installation.java();
    options.addAll(installation.jvmFlags());
    options.addAll(furtherOptions());
    // "localhost" must mean the address that the daemons listen on.
    property("java.net.preferIPv4Stack", "true");
    property(ClusterProcesses.PROPERTY, clusterId);
  }

  /** The options that {@value #JVM_OPTIONS_PROPERTY} holds. */
  static List<String> furtherOptions() {
    String further = System.getProperty(JVM_OPTIONS_PROPERTY, "").strip();
    return further.isEmpty() ? List.of() : List.of(further.split(" +"));
  }

  /** Of another Java than this JVM's. */
  JavaCommand javaHome(Path home) {
    java = home.resolve("bin").resolve("java");
    return this;
  }

  JavaCommand option(String option) {
    options.add(option);
    return this;
  }

  JavaCommand options(List<String> more) {
    options.addAll(more);
    return this;
  }

  JavaCommand property(String name, Object value) {
    return option("-D" + name + "=" + value);
  }

  JavaCommand nativeHadoop(boolean on) {
    return on ? property("java.library.path", installation.nativeDirectory()) : this;
  }

  JavaCommand agent(Path jar) {
    return option("-javaagent:" + jar);
  }

  JavaCommand classPath(Path entry) {
    classPath.add(entry);
    return this;
  }

  JavaCommand classPath(List<Path> entries) {
    classPath.addAll(entries);
    return this;
  }

  List<String> toList(String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(java.toString());
    command.addAll(options);
    command.add("-cp");
    command.add(
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }
}
