// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.lab.cluster.Installation;

/** Starts {@link TaskStart}, with the agent and without. */
final class TaskStarts {

  private TaskStarts() {}

  /**
   * Starts a JVM and waits for its end.
   *
   * @param agent whether it has the agent
   */
  static StartUp start(boolean agent) throws IOException {
    Process process = new ProcessBuilder(command(agent)).redirectErrorStream(true).start();
    long begin = System.nanoTime();
    double seconds = 0;
    List<String> said = new ArrayList<>();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.equals(TaskStart.READY)) {
          seconds = (System.nanoTime() - begin) / 1e9;
        } else if (line.startsWith(TaskStart.CPU)) {
          long cpu = Long.parseLong(line.substring(TaskStart.CPU.length()));
          return new StartUp(seconds, cpu / 1e9);
        }
        said.add(line);
      }
    } finally {
      process.destroyForcibly();
    }
    throw new IOException("a task has not started: " + said);
  }

  private static List<String> command(boolean agent) throws IOException {
    Installation installation = Installation.find();
    List<String> command = new ArrayList<>();
    command.add(installation.java().toString());
    command.addAll(installation.jvmFlags());
    if (agent) {
      command.add("-javaagent:" + installation.agentJar());
    }
    List<Path> classPath = new ArrayList<>(installation.jars());
    classPath.add(Installation.classesOf(TaskStart.class));
    command.add("-cp");
    command.add(
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    command.add(TaskStart.class.getName());
    return command;
  }
}
