// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;

/**
 * A stock MapReduce job on YARN, whose tasks may read at a priority that only their environment
 * states. Its driver is a stock client too. Thread-safe.
 */
public final class MapReduceJob implements Closeable {

  /** The JVM option with which a driver tells what it does. */
  private static final String LOGGING =
      "-Dlog4j.configuration=org/hadoopprio/lab/workload/job-log4j.properties";

  private final String command;
  private final ChildProcess driver;

  private MapReduceJob(String command, ChildProcess driver) {
    this.command = command;
    this.driver = driver;
  }

  /**
   * Submits a job.
   *
   * @param prefix put before the driver's command; a program and its options, or empty
   * @param priority of the tasks' reads; empty for tasks without the agent
   * @param mainClass the job's own driver; it takes Hadoop's generic options
   * @param options generic options of this job alone
   * @param arguments what comes after the generic options
   */
  public static MapReduceJob submit(
      LocalCluster cluster,
      Path logs,
      String name,
      List<String> prefix,
      Optional<IoPriority> priority,
      String mainClass,
      List<String> options,
      List<String> arguments)
      throws IOException {
    List<String> line = new ArrayList<>();
    if (priority.isPresent()) {
      line.addAll(environment(priority.get(), Installation.find().agentJar()));
    }
    line.addAll(options);
    line.addAll(arguments);
    ClientCommand client =
        cluster.client(mainClass, line.toArray(new String[0])).stock().jvmOption(LOGGING);
    ProcessBuilder builder = client.toProcessBuilder();
    builder.command().addAll(0, prefix);
    ChildProcess driver =
        ChildProcess.start(name, builder, logs.resolve(name + ".log"), text -> {});
    return new MapReduceJob(client.toText(), driver);
  }

  /**
   * The generic options that give a job's tasks a priority: all that a stock job needs.
   *
   * @param agentJar where it is on the tasks' hosts
   */
  private static List<String> environment(IoPriority priority, Path agentJar) {
    String variables =
        "HADOOP_IO_PRIORITY=" + priority + ",JAVA_TOOL_OPTIONS=-javaagent:" + agentJar;
    return List.of("-Dmapreduce.map.env=" + variables, "-Dmapreduce.reduce.env=" + variables);
  }

  /** The driver's command as text. */
  public String command() {
    return command;
  }

  /** Waits at most that long; returns whether the job has ended. */
  public boolean await(long milliseconds) throws IOException {
    return driver.await(milliseconds);
  }

  /**
   * Checks that an ended job has succeeded.
   *
   * @throws IOException with the end of its output if not
   */
  public void requireSuccess() throws IOException {
    driver.requireSuccess();
  }

  /** A failure with the end of the driver's output. */
  public IOException failure(String what) throws IOException {
    return driver.failure(what);
  }

  /** Kills the driver; the job itself continues in the cluster. */
  @Override
  public void close() {
    driver.close();
  }
}
