// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.hadoopprio.IoPriority;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.disk.DiskLoad;
import org.hadoopprio.lab.workload.MapReduceJob;
import org.hadoopprio.lab.workload.PaddedText;
import org.hadoopprio.lab.workload.YarnApplications;

/**
 * A MapReduce job as background, run again when it ends. Its map tasks read for longer than a cell
 * takes, so that reading is measured and not the start of JVMs.
 */
final class JobWork implements BackgroundWork {

  private static final long POLL_MS = 200;
  private static final long START_TIMEOUT_MS = 120_000;

  /** As many as a node manager runs beside the job's master. */
  private static final int TEXT_MAPS = PaddedText.FILES;

  /** How many times each map task of wordcount reads the text, uncached. */
  private static final int TEXT_ROUNDS = 8;

  /** A job's tasks have started once this much is read; less for small data. */
  private static final long BEGUN_BYTES = 128 << 20;

  private static final int BEGUN_PART = 4;

  private final MixedBed bed;
  private final MixedSystem system;
  private final Background background;
  private final List<String> clientOptions;
  private final Path logs;
  private final Thread repeater = new Thread(this::repeat, "job-repeater");
  private volatile MapReduceJob job;
  private volatile IOException failure;
  private volatile boolean closed;

  private JobWork(MixedBed bed, Cell cell, Path logs) {
    this.bed = bed;
    this.system = MixedPlan.system(cell);
    this.background = MixedPlan.background(cell);
    this.clientOptions = Deployment.of(cell).clientOptions();
    this.logs = logs;
  }

  /** Submits the job and returns when its tasks read. */
  static JobWork start(MixedBed bed, Cell cell, Path logs) throws IOException {
    JobWork work = new JobWork(bed, cell, logs);
    try {
      work.job = work.submit();
      work.awaitReading();
      work.repeater.setDaemon(true);
      work.repeater.start();
      return work;
    } catch (IOException | RuntimeException e) {
      work.close();
      throw e;
    }
  }

  private MapReduceJob submit() throws IOException {
    IoPriority priority =
        system.prioritised() ? MixedExperiment.BACKGROUND_PRIORITY : IoPriority.NONE;
    List<String> options = new ArrayList<>(clientOptions);
    if (system == MixedSystem.THROTTLE) {
      options.add("-Dmapreduce.job.running.map.limit=1");
    }
    if (background == Background.WORDCOUNT) {
      if (!bed.cluster().hasLittlePageCache()) {
        options.add("-Ddfs.client.cache.drop.behind.reads=true");
      }
      options.add("-Dmapreduce.job.inputformat.class=" + CombineTextInputFormat.class.getName());
      options.add(
          "-D" + FileInputFormat.SPLIT_MAXSIZE + "=" + TEXT_ROUNDS * bed.scale().textBytes());
      List<String> arguments = textForMaps();
      arguments.add("/mixed/counts/" + UUID.randomUUID());
      return submit(priority, "org.apache.hadoop.examples.WordCount", options, arguments);
    }
    return submit(
        priority,
        "org.apache.hadoop.hbase.mapreduce.RowCounter",
        options,
        List.of(bed.scale().countTable().name()));
  }

  /** What each map task reads, one after the other: all files, each task beginning with another. */
  private static List<String> textForMaps() {
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(MixedBed.TEXT_DIRECTORY);
    List<String> paths = new ArrayList<>();
    for (int map = 0; map < TEXT_MAPS; map++) {
      for (int i = 0; i < TEXT_ROUNDS * PaddedText.FILES; i++) {
        int file = (map + i) % PaddedText.FILES + 1;
        paths.add(PaddedText.file(directory, file).toString());
      }
    }
    return paths;
  }

  private MapReduceJob submit(
      IoPriority priority, String mainClass, List<String> options, List<String> arguments)
      throws IOException {
    return MapReduceJob.submit(
        bed.cluster(),
        logs,
        background.label(),
        JobProcessors.prefix(),
        priority,
        mainClass,
        options,
        arguments);
  }

  /** Waits until the tasks read; a percentage would come late, as they read for long. */
  private void awaitReading() throws IOException {
    DiskLoad disk = DiskLoad.start(bed.devices());
    long all =
        background == Background.WORDCOUNT
            ? bed.scale().textBytes()
            : bed.scale().countTable().bytes();
    long enough = Math.min(BEGUN_BYTES, all / BEGUN_PART);
    long until = System.nanoTime() + START_TIMEOUT_MS * 1_000_000;
    while (disk.readBytes() < enough) {
      if (job.await(POLL_MS)) {
        // A short job may end between two polls.
        job.requireSuccess();
        return;
      }
      if (System.nanoTime() > until) {
        throw job.failure("read nothing for " + START_TIMEOUT_MS / 1000 + " s");
      }
    }
  }

  private void repeat() {
    try {
      while (!closed) {
        if (job.await(POLL_MS) && !closed) {
          job.requireSuccess();
          job = submit();
        }
      }
    } catch (IOException e) {
      failure = e;
    }
  }

  @Override
  public List<String> commands() {
    return List.of(job.command());
  }

  @Override
  public void requireAlive() throws IOException {
    IOException seen = failure;
    if (seen != null) {
      throw new IOException(background.label() + " failed", seen);
    }
  }

  @Override
  public OptionalDouble bytesPerSecond(long fromMillis, long toMillis) {
    return OptionalDouble.empty();
  }

  @Override
  public OptionalDouble longestWaitMillis(long fromMillis, long toMillis) {
    return OptionalDouble.empty();
  }

  @Override
  public void close() throws IOException {
    closed = true;
    repeater.interrupt();
    MapReduceJob running = job;
    if (running != null) {
      running.close();
    }
    Configuration conf = bed.cluster().hadoopConf();
    YarnApplications.killAll(conf);
  }
}
