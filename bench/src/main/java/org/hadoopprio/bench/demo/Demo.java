package org.hadoopprio.bench.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.util.VersionInfo;
import org.hadoopprio.bench.cluster.LocalCluster;
import org.hadoopprio.bench.cluster.Progress;
import org.hadoopprio.bench.cluster.Role;
import org.hadoopprio.bench.disk.Disk;
import org.hadoopprio.bench.trace.BlockTrace;
import org.hadoopprio.bench.trace.BlockTraceUnavailableException;
import org.hadoopprio.bench.trace.RequestTrace;

/**
 * The demo: YCSB reads HBase at real-time while stock MapReduce jobs read at idle, on one cluster
 * of real daemons.
 */
public final class Demo {

  private static final int STEPS = 9;
  private static final long MIB = 1 << 20;
  private static final long POLL_MS = 250;
  private static final double COMPACTION_GUESS_S = 10;
  private static final double FIRST_MAP_GUESS_S = 30;
  private static final long JOB_TIMEOUT_S = 240;
  private static final int TRACE_LINES_ALIKE = 2;
  private static final String TEXT_DIRECTORY = "/demo/text";
  private static final String COUNTS_DIRECTORY = "/demo/counts";

  private final DemoSettings settings;
  private final StepProgress progress;
  private final DemoReport result = new DemoReport();
  private final LocalCluster cluster;
  private final Path logs;
  private final YcsbClient ycsb;

  private Demo(DemoSettings settings, StepProgress progress, LocalCluster cluster)
      throws IOException {
    this.settings = settings;
    this.progress = progress;
    this.cluster = cluster;
    this.logs = Files.createDirectories(cluster.directory().resolve("logs").resolve("demo"));
    this.ycsb = new YcsbClient(cluster, logs);
  }

  /**
   * Runs it from an empty directory to the result.
   *
   * @param directory the cluster's
   * @param keep whether the cluster goes on running, also after a failure and Ctrl-C
   * @param output where progress is shown
   * @param terminal whether that is a terminal
   */
  public static DemoReport run(
      DemoSettings settings, Path directory, boolean keep, PrintStream output, boolean terminal)
      throws IOException {
    StepProgress progress = new StepProgress(output, terminal, STEPS);
    progress.begin("cluster: HDFS, HBase, YARN");
    LocalCluster cluster =
        LocalCluster.builder(directory)
            .stopAtExit(!keep)
            .progress(new Progress(output))
            // Each read reaches the disk: what HBase has read leaves the page cache again.
            .configure(
                Role.REGIONSERVER,
                options -> options.conf("dfs.client.cache.drop.behind.reads", "true"))
            .start();
    try {
      progress.done(cluster.daemons().size() + " daemons are ready");
      return new Demo(settings, progress, cluster).run();
    } finally {
      if (!keep) {
        cluster.close();
      }
    }
  }

  private DemoReport run() throws IOException {
    describe();
    loadTable(DemoSettings.READ_TABLE, settings.readRecords());
    loadTable(DemoSettings.COUNT_TABLE, settings.countRecords());
    writeText();
    readAlone();
    readBesideJobs();
    traceOneGet();
    return result;
  }

  private void describe() throws IOException {
    result.about("Hadoop", VersionInfo.getVersion());
    result.about("HBase", org.apache.hadoop.hbase.util.VersionInfo.getVersion());
    int number = 1;
    for (Disk disk : cluster.disks()) {
      result.about("disk of DataNode " + number++, disk.description());
    }
  }

  private void loadTable(String table, long records) throws IOException {
    progress.begin("load table " + table);
    DemoTables tables = new DemoTables(cluster.hbaseConf());
    tables.create(table);
    ycsb.load(table, records, counted(records, "records"));
    tables.settle(table, () -> progress.waiting("flush and compaction", COMPACTION_GUESS_S));
    long mib = records * YcsbClient.RECORD_BYTES / MIB;
    progress.done(records + " records, about " + mib + " MiB");
  }

  private LongConsumer counted(long all, String what) {
    return done -> progress.at((double) done / all, done + " of " + all + " " + what);
  }

  private void writeText() throws IOException {
    progress.begin("text into HDFS");
    TextCorpus corpus = TextCorpus.ofThisSystem();
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      long bytes =
          DemoText.write(
              corpus,
              fs,
              new org.apache.hadoop.fs.Path(TEXT_DIRECTORY),
              settings.textBytes(),
              counted(settings.textBytes(), "bytes"));
      progress.done(bytes / MIB + " MiB from " + corpus.files() + " files of this system");
    }
  }

  private YcsbClient.ReadLoad readLoad(long seconds) {
    return new YcsbClient.ReadLoad(
        seconds,
        settings.perSecond(),
        DemoSettings.READ_THREADS,
        DemoSettings.READ_PRIORITY,
        DemoSettings.PRIORITISED_PERCENT);
  }

  private YcsbReport read(long seconds) throws IOException {
    YcsbClient.ReadLoad load = readLoad(seconds);
    YcsbReport report =
        ycsb.read(
            load,
            DemoSettings.READ_TABLE,
            settings.readRecords(),
            counted(load.operations(), "reads"));
    progress.done(report.latencies("READ").operations() + " reads");
    return report;
  }

  private void readAlone() throws IOException {
    progress.begin("reads without jobs");
    cluster.evictPageCache();
    result.addReads(", no jobs", read(DemoSettings.ALONE_SECONDS));
  }

  private void readBesideJobs() throws IOException {
    cluster.evictPageCache();
    BlockTrace trace = startTrace();
    try {
      runJobsAndReads();
      if (trace != null) {
        result.block(trace.stop());
      }
    } finally {
      if (trace != null) {
        trace.close();
      }
    }
  }

  /** Null where the block layer cannot be traced; the result says why then. */
  private BlockTrace startTrace() throws IOException {
    if (cluster.devices().isEmpty()) {
      result.blockMissing(
          "the DataNodes' directories are on no block device of their own; run it as root");
      return null;
    }
    try {
      return BlockTrace.start(cluster.devices());
    } catch (BlockTraceUnavailableException e) {
      result.blockMissing(e.getMessage());
      return null;
    }
  }

  private void runJobsAndReads() throws IOException {
    List<MapReduceJob> jobs = new ArrayList<>();
    try {
      progress.begin("jobs wordcount and RowCounter at " + DemoSettings.JOB_PRIORITY);
      jobs.add(wordcount());
      jobs.add(rowCounter());
      awaitFirstMap(jobs);
      Map<MapReduceJob, Integer> atStart = percents(jobs);
      progress.done("they read");

      progress.begin("reads beside the jobs");
      Optional<DiskLoad> load =
          cluster.devices().isEmpty()
              ? Optional.empty()
              : Optional.of(DiskLoad.start(cluster.devices()));
      YcsbReport report = read(settings.seconds());
      if (load.isPresent()) {
        result.diskBusyShare(load.get().busyShare());
      }
      Map<MapReduceJob, Integer> atEnd = percents(jobs);
      result.addReads("", report);

      progress.begin("jobs to their end");
      awaitEnd(jobs);
      for (MapReduceJob job : jobs) {
        addJob(job, new int[] {atStart.get(job), atEnd.get(job)});
      }
      progress.done("both have succeeded");
    } finally {
      jobs.forEach(MapReduceJob::close);
    }
  }

  private MapReduceJob wordcount() throws IOException {
    return MapReduceJob.submit(
        cluster,
        logs,
        "wordcount",
        DemoSettings.JOB_PRIORITY,
        "org.apache.hadoop.examples.WordCount",
        List.of(),
        List.of(TEXT_DIRECTORY, COUNTS_DIRECTORY));
  }

  private MapReduceJob rowCounter() throws IOException {
    return MapReduceJob.submit(
        cluster,
        logs,
        "RowCounter",
        DemoSettings.JOB_PRIORITY,
        "org.apache.hadoop.hbase.mapreduce.RowCounter",
        List.of(),
        List.of(DemoSettings.COUNT_TABLE));
  }

  private void addJob(MapReduceJob job, int[] percents) {
    boolean counts = job.name().equals("RowCounter");
    result.addJob(
        job.name(),
        job.counter(counts ? "ROWS" : "Bytes Read"),
        counts ? "rows" : "bytes",
        job.mapSeconds(),
        percents);
  }

  private static Map<MapReduceJob, Integer> percents(List<MapReduceJob> jobs) {
    Map<MapReduceJob, Integer> percents = new LinkedHashMap<>();
    jobs.forEach(job -> percents.put(job, job.mapPercent()));
    return percents;
  }

  private void awaitFirstMap(List<MapReduceJob> jobs) throws IOException {
    long until = deadline();
    while (jobs.stream().noneMatch(job -> job.mapPercent() > 0)) {
      check(jobs, until);
      progress.waiting("YARN starts their tasks", FIRST_MAP_GUESS_S);
      jobs.get(0).await(POLL_MS);
    }
  }

  private void awaitEnd(List<MapReduceJob> jobs) throws IOException {
    long until = deadline();
    while (jobs.stream().anyMatch(MapReduceJob::isAlive)) {
      check(jobs, until);
      int percent = jobs.stream().mapToInt(MapReduceJob::mapPercent).sum() / jobs.size();
      progress.at(percent / 100.0, "their map tasks");
      jobs.stream().filter(MapReduceJob::isAlive).findFirst().orElseThrow().await(POLL_MS);
    }
    check(jobs, until);
  }

  private static long deadline() {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(JOB_TIMEOUT_S);
  }

  /** A job that has failed ends the demo, and so does one that hangs. */
  private static void check(List<MapReduceJob> jobs, long until) throws IOException {
    for (MapReduceJob job : jobs) {
      if (!job.isAlive()) {
        job.requireSuccess();
      } else if (System.nanoTime() > until) {
        throw job.failure("is not done after " + JOB_TIMEOUT_S + " s");
      }
    }
  }

  private void traceOneGet() throws IOException {
    progress.begin("trace of one Get at " + DemoSettings.READ_PRIORITY);
    TableName table = TableName.valueOf(DemoSettings.READ_TABLE);
    try (Connection connection = ConnectionFactory.createConnection(cluster.hbaseConf())) {
      RequestTrace trace =
          RequestTrace.get(
              cluster, connection, table, anyRow(connection, table), DemoSettings.READ_PRIORITY);
      result.trace(trace.toText(TRACE_LINES_ALIKE));
      progress.done(trace.hops().size() + " hops");
    }
  }

  private static byte[] anyRow(Connection connection, TableName table) throws IOException {
    try (Table opened = connection.getTable(table);
        ResultScanner rows = opened.getScanner(new Scan().setLimit(1))) {
      return rows.next().getRow();
    }
  }
}
