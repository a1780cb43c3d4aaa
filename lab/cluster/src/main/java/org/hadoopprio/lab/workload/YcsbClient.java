// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopprio.lab.cluster.LocalCluster;

/** Runs YCSB's own client with this project's binding, each time in a JVM of its own. */
public final class YcsbClient {

  /** YCSB's own client. */
  public static final String MAIN_CLASS = "site.ycsb.Client";

  private static final int LOAD_THREADS = 4;
  private static final long POLL_MS = 200;
  private static final Pattern STATUS = Pattern.compile(" sec: (\\d+) operations");

  private final YcsbReads.Command command;
  private final Servers servers;
  private final Path logs;

  /** The cluster that YCSB uses. */
  interface Servers {
    void requireRunning() throws IOException;
  }

  public YcsbClient(LocalCluster cluster, Path logs) {
    this(
        arguments -> cluster.client(MAIN_CLASS, arguments).toProcessBuilder(),
        cluster::requireRunning,
        logs);
  }

  YcsbClient(YcsbReads.Command command, Servers servers, Path logs) {
    this.command = command;
    this.servers = servers;
    this.logs = logs;
  }

  /**
   * Writes a table's records.
   *
   * @param progress is repeatedly told how many records are written
   * @throws IOException if YCSB or an operation fails, or a daemon of this machine's cluster ends
   */
  public YcsbReport load(YcsbTable table, LongConsumer progress) throws IOException {
    List<String> arguments = arguments("-load", table, LOAD_THREADS);
    arguments.addAll(property("clientbuffering", "true"));
    YcsbReport report = run("load-" + table.name(), arguments, progress);
    requireNoFailure(report, "INSERT");
    return report;
  }

  /** The arguments of all runs; of repeated properties, YCSB uses the last. */
  static List<String> arguments(String phase, YcsbTable table, int threads) {
    List<String> arguments = new ArrayList<>(List.of(phase, "-s"));
    arguments.addAll(List.of("-db", "org.hadoopprio.ycsb.HBasePriorityClient"));
    arguments.addAll(List.of("-threads", Integer.toString(threads)));
    arguments.addAll(property("workload", "site.ycsb.workloads.CoreWorkload"));
    arguments.addAll(property("table", table.name()));
    arguments.addAll(property("columnfamily", YcsbTable.FAMILY));
    arguments.addAll(property("recordcount", Long.toString(table.records())));
    arguments.addAll(property("fieldcount", "1"));
    arguments.addAll(property("fieldlength", Integer.toString(table.fieldBytes())));
    arguments.addAll(property("status.interval", "1"));
    arguments.addAll(property("measurementtype", "hdrhistogram"));
    return arguments;
  }

  /** Reads only, of any record. */
  static List<String> uniformReads() {
    List<String> arguments = new ArrayList<>(property("readproportion", "1"));
    arguments.addAll(property("updateproportion", "0"));
    arguments.addAll(property("requestdistribution", "uniform"));
    return arguments;
  }

  /** The arguments that set a property. */
  static List<String> property(String key, String value) {
    return List.of("-p", key + "=" + value);
  }

  private YcsbReport run(String name, List<String> arguments, LongConsumer progress)
      throws IOException {
    Path report = logs.resolve(name + ".json");
    arguments.addAll(
        property("exporter", "site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter"));
    arguments.addAll(property("exportfile", report.toString()));
    AtomicLong operations = new AtomicLong();
    ProcessBuilder builder = command.of(arguments.toArray(new String[0]));
    try (ChildProcess ycsb =
        ChildProcess.start(
            "YCSB " + name,
            builder,
            logs.resolve(name + ".log"),
            line -> count(line, operations))) {
      while (!ycsb.await(POLL_MS)) {
        progress.accept(operations.get());
        // HBase's client tries again for hours when its servers have gone.
        servers.requireRunning();
      }
      ycsb.requireSuccess();
      YcsbReport result = YcsbReport.read(report);
      // YCSB ends with 0 even where its threads could not start.
      if (operations.get() == 0 && result.throughput() == 0) {
        throw ycsb.failure("did nothing");
      }
      return result;
    }
  }

  /** Takes note of YCSB's count of operations, if the line has it. */
  static void count(String line, AtomicLong operations) {
    Matcher matcher = STATUS.matcher(line);
    if (matcher.find()) {
      operations.set(Long.parseLong(matcher.group(1)));
    }
  }

  private static void requireNoFailure(YcsbReport report, String series) throws IOException {
    long failures = report.failures(series);
    if (failures > 0) {
      throw new IOException("YCSB: " + failures + " operations of " + series + " failed");
    }
  }
}
