package org.hadoopprio.bench.demo;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopprio.IoPriority;
import org.hadoopprio.bench.cluster.Installation;
import org.hadoopprio.bench.cluster.LocalCluster;

/**
 * A stock MapReduce job on YARN whose tasks read at a priority that only their environment states.
 * Its driver is a stock client too. Thread-safe.
 */
final class MapReduceJob implements Closeable {

  private static final Pattern PROGRESS = Pattern.compile("map (\\d+)% reduce (\\d+)%");
  private static final Pattern COUNTER = Pattern.compile("^\\s+(\\S.*\\S)=(\\d+)$");

  private final String name;
  private final ChildProcess driver;
  private final Output output;

  private MapReduceJob(String name, ChildProcess driver, Output output) {
    this.name = name;
    this.driver = driver;
    this.output = output;
  }

  /** What the driver has written so far. */
  private static final class Output {

    private final Map<String, Long> counters = new ConcurrentHashMap<>();
    private volatile int mapPercent;
    private volatile long firstMapNanos;
    private volatile long mapsDoneNanos;

    void line(String line) {
      Matcher progress = PROGRESS.matcher(line);
      if (progress.find()) {
        mapsAt(Integer.parseInt(progress.group(1)));
        return;
      }
      Matcher counter = COUNTER.matcher(line);
      if (counter.find()) {
        counters.put(counter.group(1), Long.parseLong(counter.group(2)));
      }
    }

    private void mapsAt(int percent) {
      if (mapPercent == 0 && percent > 0) {
        firstMapNanos = System.nanoTime();
      }
      if (mapPercent < 100 && percent == 100) {
        mapsDoneNanos = System.nanoTime();
      }
      mapPercent = percent;
    }
  }

  /**
   * Submits a job.
   *
   * @param mainClass the job's own driver; it takes Hadoop's generic options
   * @param options generic options of this job alone
   * @param arguments what comes after the generic options
   */
  static MapReduceJob submit(
      LocalCluster cluster,
      Path logs,
      String name,
      IoPriority priority,
      String mainClass,
      List<String> options,
      List<String> arguments)
      throws IOException {
    List<String> line = new ArrayList<>(environment(priority));
    line.addAll(options);
    line.addAll(arguments);
    ProcessBuilder builder =
        cluster
            .client(mainClass, line.toArray(new String[0]))
            .stock()
            .jvmOption("-Dlog4j.configuration=org/hadoopprio/bench/demo/job-log4j.properties")
            .toProcessBuilder();
    Output output = new Output();
    return new MapReduceJob(
        name, ChildProcess.start(name, builder, logs.resolve(name + ".log"), output::line), output);
  }

  /** The generic options that give a job's tasks a priority: all that a stock job needs. */
  private static List<String> environment(IoPriority priority) throws IOException {
    String variables =
        "HADOOP_IO_PRIORITY="
            + priority
            + ",JAVA_TOOL_OPTIONS=-javaagent:"
            + Installation.find().agentJar();
    return List.of("-Dmapreduce.map.env=" + variables, "-Dmapreduce.reduce.env=" + variables);
  }

  String name() {
    return name;
  }

  /** How far the map tasks are together, 0 to 100. */
  int mapPercent() {
    return output.mapPercent;
  }

  boolean isAlive() {
    return driver.isAlive();
  }

  /** Waits at most so long; whether the job has ended. */
  boolean await(long milliseconds) throws IOException {
    return driver.await(milliseconds);
  }

  /**
   * Checks that an ended job has succeeded.
   *
   * @throws IOException with the end of its output if not
   */
  void requireSuccess() throws IOException {
    driver.requireSuccess();
  }

  /** A failure with the end of the driver's output. */
  IOException failure(String what) throws IOException {
    return driver.failure(what);
  }

  /** A counter of an ended job by the name the driver prints; 0 if it has none. */
  long counter(String counterName) {
    return output.counters.getOrDefault(counterName, 0L);
  }

  /** How long the map tasks took, from the first progress to the end; 0 before that. */
  double mapSeconds() {
    return output.mapsDoneNanos == 0 ? 0 : (output.mapsDoneNanos - output.firstMapNanos) / 1e9;
  }

  /** Kills the driver; the job itself goes on in the cluster. */
  @Override
  public void close() {
    driver.close();
  }
}
