// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;
import org.hadoopprio.IoPriority;

/**
 * YCSB reading a table until it is ended, in a process of its own, of which any stretch of time can
 * be looked at. Thread-safe.
 */
public final class YcsbReads implements Closeable {

  private static final long POLL_MS = 100;
  private static final long START_TIMEOUT_MS = 60_000;
  private static final String LOG_SUFFIX = ".hdr";

  /** More operations than any run does. YCSB takes 0 for endless only with a single thread. */
  private static final String ENDLESS = Integer.toString(Integer.MAX_VALUE);

  private final ChildProcess process;
  private final AtomicLong operations;
  private final Path histograms;

  /** When reads are issued. Immutable. */
  public static final class Arrival {

    private final double perSecond;
    private final long seed;
    private final int threads;

    private Arrival(double perSecond, long seed, int threads) {
      this.perSecond = perSecond;
      this.seed = seed;
      this.threads = threads;
    }

    /** At random, whether earlier ones have ended or not. */
    public static Arrival poisson(double perSecond, long seed, int threads) {
      return new Arrival(perSecond, seed, threads);
    }

    private List<String> arguments() {
      List<String> arguments = new ArrayList<>();
      String workload = "org.hadoopprio.ycsb.PoissonWorkload";
      arguments.addAll(YcsbClient.property("workload", workload));
      arguments.addAll(YcsbClient.property("arrivalrate", Double.toString(perSecond)));
      arguments.addAll(YcsbClient.property("arrivalseed", Long.toString(seed)));
      return arguments;
    }
  }

  private YcsbReads(ChildProcess process, AtomicLong operations, Path histograms) {
    this.process = process;
    this.operations = operations;
    this.histograms = histograms;
  }

  /**
   * The arguments of {@code site.ycsb.Client} for reads that go on until the process is ended.
   *
   * @param priority of every read; empty for reads that carry nothing
   */
  public static List<String> arguments(
      YcsbTable table, Arrival arrival, Optional<IoPriority> priority) {
    List<String> arguments = YcsbClient.arguments("-t", table, arrival.threads);
    arguments.addAll(YcsbClient.uniformReads());
    arguments.addAll(arrival.arguments());
    arguments.addAll(YcsbClient.property("operationcount", ENDLESS));
    arguments.addAll(YcsbClient.property("measurement.interval", "both"));
    priority.ifPresent(
        p -> arguments.addAll(YcsbClient.property("hbase.ioprio.read", p.toString())));
    return arguments;
  }

  /** Makes the client's command from its arguments. */
  public interface Command {
    ProcessBuilder of(String... arguments) throws IOException;
  }

  /**
   * Starts the reads and returns when the first have ended.
   *
   * @param command makes a command of {@code site.ycsb.Client}
   * @param arguments see {@link #arguments}
   * @param logs an empty directory of this run's own
   */
  public static YcsbReads start(Command command, List<String> arguments, Path logs)
      throws IOException {
    Files.createDirectories(logs);
    List<String> all = new ArrayList<>(arguments);
    all.addAll(YcsbClient.property("hdrhistogram.fileoutput", "true"));
    all.addAll(YcsbClient.property("hdrhistogram.output.path", logs + "/"));
    AtomicLong operations = new AtomicLong();
    ChildProcess process =
        ChildProcess.start(
            "YCSB",
            command.of(all.toArray(new String[0])),
            logs.resolve("ycsb.log"),
            line -> YcsbClient.count(line, operations));
    YcsbReads reads = new YcsbReads(process, operations, logs);
    try {
      reads.awaitFirst();
      return reads;
    } catch (IOException | RuntimeException e) {
      reads.close();
      throw e;
    }
  }

  private void awaitFirst() throws IOException {
    long until = System.nanoTime() + START_TIMEOUT_MS * 1_000_000;
    while (operations.get() == 0) {
      if (process.await(POLL_MS)) {
        throw process.failure("ended at once");
      }
      if (System.nanoTime() > until) {
        throw process.failure("read nothing for " + START_TIMEOUT_MS / 1000 + " s");
      }
    }
  }

  /**
   * Checks that it still reads.
   *
   * @throws IOException with the end of its output if not
   */
  public void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw process.failure("ended");
    }
  }

  /**
   * The latencies, in microseconds, of the reads that ended well in a window. They count from the
   * arrival (YCSB's intended start).
   *
   * @param fromMillis the window's begin, since the epoch, exact to a second
   */
  public Histogram latencies(long fromMillis, long toMillis) throws IOException {
    return new LatencyLog(histograms.resolve("Intended-READ" + LOG_SUFFIX))
        .between(fromMillis, toMillis);
  }

  /** How many operations have ended, well or not, as YCSB said last; it says it every second. */
  public long operations() {
    return operations.get();
  }

  /** How many operations ended in a window with another status than OK. */
  public long failures(long fromMillis, long toMillis) throws IOException {
    long failures = 0;
    try (DirectoryStream<Path> logs =
        Files.newDirectoryStream(histograms, "{READ,UPDATE}-*" + LOG_SUFFIX)) {
      for (Path log : logs) {
        failures += new LatencyLog(log).between(fromMillis, toMillis).getTotalCount();
      }
    }
    return failures;
  }

  /** Ends the reads. */
  @Override
  public void close() {
    process.close();
  }
}
