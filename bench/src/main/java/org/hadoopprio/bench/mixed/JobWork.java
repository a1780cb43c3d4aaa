package org.hadoopprio.bench.mixed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.bench.workload.MapReduceJob;
import org.hadoopprio.bench.workload.YarnApplications;

/** A MapReduce job as background, run again when it ends. */
final class JobWork implements BackgroundWork {

  private static final long POLL_MS = 200;
  private static final long START_TIMEOUT_MS = 120_000;

  /** So often wordcount reads its text in one job; what was read leaves the page cache. */
  private static final int TEXT_ROUNDS = 4;

  /** A map task for each file, so that tasks read for longer than their JVMs take to start. */
  private static final long SPLIT_BYTES = Long.MAX_VALUE;

  private final MixedBed bed;
  private final MixedSystem system;
  private final Background background;
  private final Path logs;
  private final Thread repeater = new Thread(this::repeat, "job-repeater");
  private volatile MapReduceJob job;
  private volatile IOException failure;
  private volatile boolean closed;

  private JobWork(MixedBed bed, MixedSystem system, Background background, Path logs) {
    this.bed = bed;
    this.system = system;
    this.background = background;
    this.logs = logs;
  }

  /** Submits the job and returns when its first task has come some way. */
  static JobWork start(MixedBed bed, MixedSystem system, Background background, Path logs)
      throws IOException {
    JobWork work = new JobWork(bed, system, background, logs);
    try {
      work.job = work.submit();
      work.awaitFirstMap();
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
    List<String> options = new ArrayList<>();
    if (system == MixedSystem.THROTTLE) {
      options.add("-Dmapreduce.job.running.map.limit=1");
    }
    if (background == Background.WORDCOUNT) {
      options.add("-Ddfs.client.cache.drop.behind.reads=true");
      options.add("-Dmapreduce.input.fileinputformat.split.minsize=" + SPLIT_BYTES);
      List<String> arguments =
          new ArrayList<>(Collections.nCopies(TEXT_ROUNDS, MixedBed.TEXT_DIRECTORY));
      arguments.add("/mixed/counts/" + UUID.randomUUID());
      return submit(priority, "org.apache.hadoop.examples.WordCount", options, arguments);
    }
    return submit(
        priority,
        "org.apache.hadoop.hbase.mapreduce.RowCounter",
        options,
        List.of(bed.scale().countTable().name()));
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

  private void awaitFirstMap() throws IOException {
    long until = System.nanoTime() + START_TIMEOUT_MS * 1_000_000;
    while (job.mapPercent() == 0) {
      if (job.await(POLL_MS)) {
        // A short job may have ended between two looks.
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
      throw new IOException(background.label() + " has failed", seen);
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
