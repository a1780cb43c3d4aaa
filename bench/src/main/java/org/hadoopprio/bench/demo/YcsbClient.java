package org.hadoopprio.bench.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopprio.IoPriority;
import org.hadoopprio.bench.cluster.LocalCluster;

/** Runs YCSB's own client with this project's binding, each time in a JVM of its own. */
final class YcsbClient {

  /** The column family of the tables. */
  static final String FAMILY = "f";

  /** One field of this size makes a record of about 1 KiB in HBase. */
  private static final int FIELD_BYTES = 1000;

  /** A field, its key and what HBase adds to them. */
  static final int RECORD_BYTES = 1080;

  private static final int LOAD_THREADS = 4;
  private static final long POLL_MS = 200;
  private static final Pattern STATUS = Pattern.compile(" sec: (\\d+) operations");

  private final LocalCluster cluster;
  private final Path logs;

  YcsbClient(LocalCluster cluster, Path logs) {
    this.cluster = cluster;
    this.logs = logs;
  }

  /**
   * Writes a table's records.
   *
   * @param progress is told again and again how many records are written
   */
  YcsbReport load(String table, long records, LongConsumer progress) throws IOException {
    List<String> arguments = common("-load", table, records, LOAD_THREADS);
    property(arguments, "clientbuffering", "true");
    YcsbReport report = run("load-" + table, arguments, progress);
    requireNoFailure(report, "INSERT");
    return report;
  }

  /**
   * Reads records at random.
   *
   * @param progress is told again and again how many operations have ended
   */
  YcsbReport read(ReadLoad load, String table, long records, LongConsumer progress)
      throws IOException {
    List<String> arguments = common("-t", table, records, load.threads);
    property(arguments, "readproportion", "1");
    property(arguments, "updateproportion", "0");
    property(arguments, "requestdistribution", "uniform");
    arguments.add("-target");
    arguments.add(Long.toString(load.perSecond));
    property(arguments, "operationcount", Long.toString(load.perSecond * load.seconds));
    property(arguments, "hbase.ioprio.read", load.priority.toString());
    property(arguments, "hbase.ioprio.read.percent", Integer.toString(load.percent));
    return run("read-" + table, arguments, progress);
  }

  /** A load of reads. Immutable. */
  static final class ReadLoad {

    final long seconds;
    final long perSecond;
    final int threads;
    final IoPriority priority;
    final int percent;

    /**
     * Describes a load.
     *
     * @param perSecond the rate aimed at
     * @param percent how many of 100 reads carry the priority
     */
    ReadLoad(long seconds, long perSecond, int threads, IoPriority priority, int percent) {
      this.seconds = seconds;
      this.perSecond = perSecond;
      this.threads = threads;
      this.priority = priority;
      this.percent = percent;
    }

    long operations() {
      return seconds * perSecond;
    }
  }

  private static List<String> common(String phase, String table, long records, int threads) {
    List<String> arguments = new ArrayList<>(List.of(phase, "-s"));
    arguments.addAll(List.of("-db", "org.hadoopprio.ycsb.HBasePriorityClient"));
    arguments.addAll(List.of("-threads", Integer.toString(threads)));
    property(arguments, "workload", "site.ycsb.workloads.CoreWorkload");
    property(arguments, "table", table);
    property(arguments, "columnfamily", FAMILY);
    property(arguments, "recordcount", Long.toString(records));
    property(arguments, "fieldcount", "1");
    property(arguments, "fieldlength", Integer.toString(FIELD_BYTES));
    property(arguments, "status.interval", "1");
    property(arguments, "measurementtype", "hdrhistogram");
    return arguments;
  }

  private static void property(List<String> arguments, String key, String value) {
    arguments.add("-p");
    arguments.add(key + "=" + value);
  }

  private YcsbReport run(String name, List<String> arguments, LongConsumer progress)
      throws IOException {
    Path report = logs.resolve(name + ".json");
    property(
        arguments, "exporter", "site.ycsb.measurements.exporter.JSONArrayMeasurementsExporter");
    property(arguments, "exportfile", report.toString());
    AtomicLong operations = new AtomicLong();
    ProcessBuilder builder =
        cluster.client("site.ycsb.Client", arguments.toArray(new String[0])).toProcessBuilder();
    try (ChildProcess ycsb =
        ChildProcess.start(
            "YCSB " + name,
            builder,
            logs.resolve(name + ".log"),
            line -> count(line, operations))) {
      while (!ycsb.await(POLL_MS)) {
        progress.accept(operations.get());
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

  private static void count(String line, AtomicLong operations) {
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
