// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.containers;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.MapReduceJob;
import org.hadoopprio.lab.workload.PaddedText;
import org.hadoopprio.lab.workload.YarnApplications;
import org.hadoopprio.lab.workload.YcsbClient;
import org.hadoopprio.lab.workload.YcsbReads;
import org.hadoopprio.lab.workload.YcsbTable;
import org.hadoopprio.lab.workload.YcsbTables;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * YCSB beside wordcount on the cluster whose site files are on the class path: first with requests
 * that carry nothing, then with the Gets at real-time and the job at idle.
 */
@Command(
    name = "mixed",
    description =
        "Reads a table with YCSB while wordcount runs, first without priorities, then with the"
            + " Gets at rt:0 and the job at idle; prints the latencies and what each DataNode"
            + " granted. Exits with 1 if a Get failed or a patched DataNode granted no real-time.",
    mixinStandardHelpOptions = true)
public final class ContainerRun implements Callable<Integer> {

  private static final IoPriority GETS = IoPriority.parse("rt:0");

  private static final YcsbTable TABLE = new YcsbTable("usertable", 1000, 128L << 20);

  /** In files of one block, and so one map task, each. */
  private static final long TEXT_BYTES = 512L << 20;

  /** How many times one wordcount job reads its text. */
  private static final int TEXT_ROUNDS = 4;

  private static final org.apache.hadoop.fs.Path HOME =
      new org.apache.hadoop.fs.Path("/hadoop-prio");
  private static final org.apache.hadoop.fs.Path TEXT = new org.apache.hadoop.fs.Path(HOME, "text");

  /** Exists once all data has been written. */
  private static final org.apache.hadoop.fs.Path PREPARED =
      new org.apache.hadoop.fs.Path(HOME, "prepared");

  private static final int THREADS = 64;
  private static final int MIN_SECONDS = 5;
  private static final int MAX_SECONDS = 3600;
  private static final double MAX_PER_SECOND = 1000;
  private static final int RAMP_SECONDS = 5;
  private static final long POLL_MS = 200;
  private static final long FIRST_MAP_TIMEOUT_MS = 180_000;
  private static final String INTERRUPTED = "interrupted while the load ran";

  private final Progress progress = new Progress(System.err);
  private final Configuration conf = HBaseConfiguration.create();
  private Path logs;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "COUNT",
      defaultValue = "30",
      description = "How long each of the two is measured, in seconds (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--rate",
      paramLabel = "COUNT",
      defaultValue = "20",
      description =
          "Gets per second; they arrive at random times, independently of earlier ones (default:"
              + " ${DEFAULT-VALUE}).")
  private double perSecond;

  @Option(
      names = "--launcher",
      paramLabel = "COMMAND",
      defaultValue = "hadoop",
      description = "Starts a client: COMMAND class NAME ARGUMENTS (default: ${DEFAULT-VALUE}).")
  private String launcher;

  @Option(
      names = "--agent",
      paramLabel = "FILE",
      defaultValue = "/opt/hadoop-prio/hdfs-prio-agent.jar",
      description = "The agent on the tasks' hosts (default: ${DEFAULT-VALUE}).")
  private Path agent;

  /** Runs the command and ends the JVM: 0 when all is well, 1 when not, 2 for bad input. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new ContainerRun())
            .setExecutionExceptionHandler(ContainerRun::explain)
            .execute(arguments));
  }

  private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
      throws Exception {
    if (!(failure instanceof IOException)) {
      throw failure;
    }
    command.getErr().println("mixed: " + failure.getMessage());
    return CommandLine.ExitCode.SOFTWARE;
  }

  @Override
  public Integer call() throws IOException {
    require("--seconds", seconds, MIN_SECONDS, MAX_SECONDS);
    require("--rate", perSecond, 1, MAX_PER_SECOND);
    logs = Files.createTempDirectory("mixed");
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
      prepare(fs);
      ContainerRunReport report =
          new ContainerRunReport(
              phase(fs, Optional.empty(), IoPriority.NONE),
              phase(fs, Optional.of(GETS), IoPriority.IDLE));
      PrintWriter out = spec.commandLine().getOut();
      out.println();
      out.print(report.tables());
      report.problems().forEach(problem -> out.println("problem: " + problem));
      out.flush();
      return report.problems().isEmpty() ? 0 : 1;
    }
  }

  private void require(String option, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new ParameterException(
          spec.commandLine(),
          String.format("%s must be %.0f to %.0f, not %s", option, min, max, value));
    }
  }

  /** Writes the table and the text unless an earlier run did. */
  private void prepare(FileSystem fs) throws IOException {
    if (fs.exists(PREPARED)) {
      return;
    }
    progress.say("writing the table, " + (TABLE.bytes() >> 20) + " MiB");
    fs.delete(HOME, true);
    drop(TableName.valueOf(TABLE.name()));
    YcsbTables tables = new YcsbTables(conf);
    tables.create(TABLE.name());
    new YcsbClient(this::ycsb, logs).load(TABLE, done -> {});
    tables.settle(TABLE.name(), () -> {});
    progress.say("writing the text, " + (TEXT_BYTES >> 20) + " MiB");
    PaddedText.write(fs, TEXT, TEXT_BYTES, done -> {});
    fs.create(PREPARED).close();
  }

  private void drop(TableName table) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      if (admin.tableExists(table)) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    }
  }

  private ProcessBuilder ycsb(String... arguments) {
    return client(YcsbClient.MAIN_CLASS, List.of(arguments));
  }

  private ProcessBuilder client(String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(launcher, "class", mainClass));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  private MapReduceJob wordcount(IoPriority priority) throws IOException {
    List<String> arguments = new ArrayList<>();
    if (!priority.isNone()) {
      arguments.addAll(MapReduceJob.environment(priority, agent));
    }
    arguments.addAll(Collections.nCopies(TEXT_ROUNDS, TEXT.toString()));
    arguments.add(HOME + "/counts/" + UUID.randomUUID());
    ProcessBuilder builder = client("org.apache.hadoop.examples.WordCount", arguments);
    builder.environment().put("HADOOP_CLIENT_OPTS", MapReduceJob.LOGGING);
    return MapReduceJob.submit(builder, String.join(" ", builder.command()), logs, "wordcount");
  }

  private ContainerRunReport.Phase phase(
      DistributedFileSystem fs, Optional<IoPriority> gets, IoPriority job) throws IOException {
    String requests = gets.map(IoPriority::toString).orElse("no priority");
    String background = job.isNone() ? "no priority" : job.toString();
    progress.say("Gets: " + requests + ", wordcount: " + background + ": the job starts");
    Background wordcount = new Background(job);
    try {
      wordcount.awaitFirstMap();
      YcsbReads.Arrival arrival = YcsbReads.Arrival.poisson(perSecond, 1, THREADS);
      try (YcsbReads reads =
          YcsbReads.start(
              this::ycsb,
              YcsbReads.arguments(TABLE, arrival, gets),
              arrival,
              Files.createTempDirectory(logs, "ycsb"))) {
        pass(RAMP_SECONDS, reads, wordcount);
        progress.say("measuring for " + seconds + " s");
        List<DataNodeCounts> before = DataNodeCounts.all(fs);
        long start = System.currentTimeMillis();
        pass(seconds, reads, wordcount);
        long end = System.currentTimeMillis();
        List<DataNodeCounts> counts = differences(before, DataNodeCounts.all(fs));
        // YCSB writes the histogram of the last second one second later.
        pass(2, reads, wordcount);
        return new ContainerRunReport.Phase(
            requests,
            background,
            reads.latencies(start, end),
            reads.failures(start, end),
            (end - start) / 1e3,
            counts);
      }
    } finally {
      wordcount.end();
    }
  }

  private static List<DataNodeCounts> differences(
      List<DataNodeCounts> before, List<DataNodeCounts> after) throws IOException {
    List<DataNodeCounts> differences = new ArrayList<>();
    for (DataNodeCounts counts : after) {
      DataNodeCounts earlier =
          before.stream()
              .filter(other -> other.name().equals(counts.name()))
              .findFirst()
              .orElseThrow(() -> new IOException(counts.name() + " was added while the load ran"));
      differences.add(counts.since(earlier));
    }
    return differences;
  }

  private void pass(int passing, YcsbReads reads, Background wordcount) throws IOException {
    long until = System.nanoTime() + passing * 1_000_000_000L;
    while (System.nanoTime() < until) {
      reads.requireAlive();
      wordcount.keepRunning();
      Pauses.sleep(POLL_MS, INTERRUPTED);
    }
  }

  /** Wordcount, submitted again whenever it ends. */
  private final class Background {

    private final IoPriority priority;
    private MapReduceJob job;

    Background(IoPriority priority) throws IOException {
      this.priority = priority;
      this.job = wordcount(priority);
    }

    void awaitFirstMap() throws IOException {
      long until = System.nanoTime() + FIRST_MAP_TIMEOUT_MS * 1_000_000;
      while (job.mapPercent() == 0) {
        if (!job.isAlive()) {
          throw job.failure("ended before it read anything");
        }
        if (System.nanoTime() > until) {
          throw job.failure("read nothing for " + FIRST_MAP_TIMEOUT_MS / 1000 + " s");
        }
        Pauses.sleep(POLL_MS, INTERRUPTED);
      }
    }

    void keepRunning() throws IOException {
      if (!job.isAlive()) {
        // Also waits for the rest of its output.
        job.await(POLL_MS);
        job.requireSuccess();
        job = wordcount(priority);
      }
    }

    void end() throws IOException {
      job.close();
      YarnApplications.killAll(conf);
    }
  }
}
