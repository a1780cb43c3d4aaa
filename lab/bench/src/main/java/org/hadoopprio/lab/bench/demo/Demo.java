// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.VersionInfo;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.lab.bench.bed.BlockFiles;
import org.hadoopprio.lab.bench.bed.Evictor;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Progress;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.DiskLoad;
import org.hadoopprio.lab.disk.Drive;
import org.hadoopprio.lab.disk.RequestQueue;
import org.hadoopprio.lab.disk.Vhdd;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.progress.StepProgress;
import org.hadoopprio.lab.trace.BlockTrace;
import org.hadoopprio.lab.trace.BlockTraceSummary;
import org.hadoopprio.lab.workload.StreamFiles;
import org.hadoopprio.lab.workload.StreamLoad;
import org.hadoopprio.lab.workload.StreamReaders;
import org.hadoopprio.lab.workload.YcsbClient;
import org.hadoopprio.lab.workload.YcsbReads;
import org.hadoopprio.lab.workload.YcsbTable;
import org.hadoopprio.lab.workload.YcsbTables;
import org.hadoopprio.tools.trace.BlockTraceUnavailableException;
import org.hadoopprio.tools.trace.DeviceNumber;

/**
 * The demo: YCSB reads HBase while another client scans HDFS files on the same disk, first on stock
 * Hadoop and HBase, then with hadoop-prio: the Gets at real-time, the scans at idle. All of it on
 * one cluster of real daemons.
 */
public final class Demo {

  private static final int STEPS = 6;
  private static final long MIB = 1 << 20;
  private static final long DISK_BYTES = 8L << 30;
  private static final long POLL_MS = 250;
  private static final double COMPACTION_GUESS_S = 10;
  private static final String SCAN_DIRECTORY = "/demo/scans";
  private static final Set<Role> PATCHED = Set.of(Role.DATANODE, Role.MASTER, Role.REGIONSERVER);

  private final DemoSettings settings;
  private final StepProgress progress;
  private final DemoReport result = new DemoReport();
  private final LocalCluster cluster;
  private final Path logs;
  private final YcsbClient ycsb;
  private Map<String, Set<Path>> scanBlocks = Map.of();

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
   * @param drive which one the virtual disk is
   * @param directory the cluster's
   * @param keep whether the cluster goes on running, also after a failure and Ctrl-C
   * @param output where progress is shown
   * @param terminal whether that is a terminal
   */
  public static DemoReport run(
      DemoSettings settings,
      Drive drive,
      Path directory,
      boolean keep,
      PrintStream output,
      boolean terminal)
      throws IOException {
    StepProgress progress = new StepProgress(output, terminal, STEPS);
    progress.begin("cluster: HDFS, HBase");
    Optional<String> noVirtualDisk = Vhdd.unavailable();
    LocalCluster cluster =
        LocalCluster.builder(directory)
            .stock()
            .dataNodes(1)
            .yarn(false)
            .disk(noVirtualDisk.isEmpty() ? DiskKind.VIRTUAL : DiskKind.DIR)
            .diskBytes(DISK_BYTES)
            .drive(drive)
            .stopAtExit(!keep)
            .progress(new Progress(output))
            // Makes each read reach the disk: what HBase has read leaves the page cache.
            .configure(
                Role.REGIONSERVER,
                options -> options.conf("dfs.client.cache.drop.behind.reads", "true"))
            .start();
    try {
      progress.done(cluster.daemons().size() + " daemons are ready");
      Demo demo = new Demo(settings, progress, cluster);
      if (noVirtualDisk.isEmpty()) {
        demo.result.about("drive", drive.preset());
      }
      return demo.run(noVirtualDisk);
    } finally {
      if (!keep) {
        cluster.close();
      }
    }
  }

  private DemoReport run(Optional<String> noVirtualDisk) throws IOException {
    describe(noVirtualDisk);
    load();
    result.stock(readBesideScans("stock", IoPriority.NONE, IoPriority.NONE));
    patch();
    result.prio(
        readBesideScans("hadoop-prio", DemoSettings.READ_PRIORITY, DemoSettings.SCAN_PRIORITY));
    return result;
  }

  private void describe(Optional<String> noVirtualDisk) throws IOException {
    result.about("Hadoop", VersionInfo.getVersion());
    result.about("HBase", org.apache.hadoop.hbase.util.VersionInfo.getVersion());
    result.about(
        "disk",
        cluster.disks().get(0).description()
            + noVirtualDisk.map(reason -> "; no virtual hard disk here: " + reason).orElse(""));
    for (DeviceNumber device : cluster.devices()) {
      RequestQueue queue = RequestQueue.of(device);
      result.about("queue", queue.describe());
      result.readAhead(queue.readAhead());
    }
    result.slowDisk(noVirtualDisk.isEmpty());
  }

  /** Writes the data without waiting for the slow disk. */
  private void load() throws IOException {
    VirtualDisk.fast(
        cluster.disks(),
        () -> {
          loadTable(settings.readTable());
          writeScanFiles();
        });
    scanBlocks = BlockFiles.byFile(cluster, SCAN_DIRECTORY);
  }

  private void loadTable(YcsbTable table) throws IOException {
    progress.begin("load table " + table.name());
    YcsbTables tables = new YcsbTables(cluster.hbaseConf());
    tables.create(table.name());
    ycsb.load(table, counted(table.records(), "records"));
    tables.settle(table.name(), () -> progress.waiting("flush and compaction", COMPACTION_GUESS_S));
    progress.done(table.records() + " records, about " + table.bytes() / MIB + " MiB");
  }

  private LongConsumer counted(long all, String what) {
    return done -> progress.at((double) done / all, done + " of " + all + " " + what);
  }

  private void writeScanFiles() throws IOException {
    progress.begin("files into HDFS");
    long bytes = DemoSettings.SCANS * settings.scanFileBytes();
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      StreamFiles.write(
          fs,
          new org.apache.hadoop.fs.Path(SCAN_DIRECTORY),
          0,
          DemoSettings.SCANS,
          settings.scanFileBytes(),
          counted(bytes, "bytes"));
    }
    progress.done(DemoSettings.SCANS + " files, " + bytes / MIB + " MiB");
  }

  /** Restarts the daemons that read and serve blocks with the agent; the drive stays as it is. */
  private void patch() throws IOException {
    progress.begin("hadoop-prio in DataNode, Master and RegionServer");
    cluster.restart(PATCHED, (role, options) -> options.agent(true));
    progress.done("restarted");
  }

  private DemoReport.Phase readBesideScans(String system, IoPriority gets, IoPriority scans)
      throws IOException {
    progress.begin(
        system + ": Gets" + at(gets) + " beside " + DemoSettings.SCANS + " scans" + at(scans));
    cluster.evictPageCache();
    ClientCommand scanner =
        cluster.client(
            StreamReaders.class.getName(),
            StreamLoad.arguments(SCAN_DIRECTORY, DemoSettings.SCANS));
    if (scans.isNone()) {
      scanner.stock();
    } else {
      scanner.env(CurrentPriority.ENVIRONMENT_VARIABLE, scans.toString());
    }
    // What a scan has read to its end is read again, but not from the page cache.
    try (Evictor evictor = Evictor.start(Set.of(), scanBlocks);
        StreamLoad load =
            StreamLoad.start(
                scanner.toProcessBuilder(),
                logs.resolve("scans-" + system + ".log"),
                evictor::finished)) {
      DemoReport.Phase phase = readBeside(load, system, gets);
      evictor.requireNoFailure();
      return phase;
    }
  }

  private static String at(IoPriority priority) {
    return priority.isNone() ? "" : " at " + priority;
  }

  private DemoReport.Phase readBeside(StreamLoad scans, String system, IoPriority gets)
      throws IOException {
    YcsbReads.Arrival arrival =
        YcsbReads.Arrival.poisson(settings.perSecond(), 0, DemoSettings.READ_THREADS);
    List<String> arguments =
        YcsbReads.arguments(
            settings.readTable(), arrival, gets.isNone() ? Optional.empty() : Optional.of(gets));
    try (YcsbReads reads =
        YcsbReads.start(
            more -> ycsbClient(gets, more).toProcessBuilder(),
            arguments,
            logs.resolve("ycsb-" + system))) {
      // Code is compiled, and indexes get into the block cache.
      await(DemoSettings.RAMP_SECONDS, "ramp");
      BlockTrace trace = startTrace();
      try {
        return measure(scans, system, reads, trace);
      } finally {
        if (trace != null) {
          trace.close();
        }
      }
    }
  }

  private ClientCommand ycsbClient(IoPriority gets, String... arguments) throws IOException {
    ClientCommand client = cluster.client(YcsbClient.MAIN_CLASS, arguments);
    return gets.isNone() ? client.agentClassesOnly() : client;
  }

  private DemoReport.Phase measure(
      StreamLoad scans, String system, YcsbReads reads, BlockTrace trace) throws IOException {
    Optional<DiskLoad> load =
        cluster.devices().isEmpty()
            ? Optional.empty()
            : Optional.of(DiskLoad.start(cluster.devices()));
    long from = System.currentTimeMillis();
    await(settings.seconds(), "Gets");
    long to = System.currentTimeMillis();
    BlockTraceSummary block = trace == null ? null : trace.stop();
    OptionalDouble busy = OptionalDouble.empty();
    OptionalDouble diskBytes = OptionalDouble.empty();
    if (load.isPresent()) {
      busy = OptionalDouble.of(load.get().busyShare());
      diskBytes = OptionalDouble.of(load.get().readBytes() * 1000.0 / (to - from));
    }
    // YCSB writes the histogram of the last second one second later.
    await(DemoSettings.HISTOGRAM_SECONDS, "last histogram");
    reads.requireAlive();
    scans.requireAlive();
    Histogram latencies = reads.latencies(from, to);
    DemoReport.Phase phase =
        new DemoReport.Phase(
            system,
            latencies,
            reads.failures(from, to),
            (to - from) / 1000.0,
            scans.bytesPerSecond(from, to));
    phase.disk(busy, diskBytes);
    phase.block(block);
    progress.done(latencies.getTotalCount() + " Gets");
    return phase;
  }

  private void await(int seconds, String what) throws IOException {
    long start = System.nanoTime();
    for (double past = 0; past < seconds; past = (System.nanoTime() - start) / 1e9) {
      progress.at(past / seconds, what);
      Pauses.sleep(POLL_MS, "the demo was interrupted");
    }
  }

  /** Null where the block layer cannot be traced; the result says why then. */
  private BlockTrace startTrace() throws IOException {
    if (cluster.devices().isEmpty()) {
      result.blockMissing(
          "the DataNodes' directories have no block device of their own; run the demo as root");
      return null;
    }
    try {
      return BlockTrace.start(cluster.devices());
    } catch (BlockTraceUnavailableException e) {
      result.blockMissing(e.getMessage());
      return null;
    }
  }
}
