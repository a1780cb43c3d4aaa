package org.hadoopprio.lab.bench.starvation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.hadoopprio.lab.workload.RandomReaders;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A client process whose threads read HDFS files from begin to end, each files of its own, again
 * and again, and that measures how long each read takes. It is started, and reports, as {@link
 * RandomReaders}; its priority comes from the environment.
 */
@Command(name = "SequentialReaders", mixinStandardHelpOptions = true)
public final class SequentialReaders implements Callable<Integer> {

  private static final long POLL_MS = 50;
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double MICROS_PER_MS = 1_000;
  private static final double BYTES_PER_MB = 1e6;

  @Option(
      names = "--directory",
      required = true,
      description = "HDFS directory below which the files are.")
  private String directory;

  @Option(names = "--length", required = true, description = "Bytes of a read.")
  private int length;

  @Option(names = "--threads", required = true, description = "Not more than there are files.")
  private int threads;

  @Option(
      names = "--drop-behind",
      description = "What has been read leaves the DataNode's page cache.")
  private boolean dropBehind;

  @Option(
      names = "--start-file",
      required = true,
      description =
          "Reading begins when this file is there; it holds the milliseconds since the epoch at"
              + " which measuring begins.")
  private Path startFile;

  @Option(names = "--seconds", required = true, description = "How long to measure.")
  private int seconds;

  @Option(names = "--report", required = true, description = "JSON file for the result.")
  private Path report;

  private final Histogram micros = new ConcurrentHistogram(SIGNIFICANT_DIGITS);
  private final LongAdder reads = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private long beginNanos;
  private long endNanos;

  SequentialReaders() {}

  /** See {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new SequentialReaders()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Configuration conf = new Configuration();
    conf.setBoolean("dfs.client.cache.drop.behind.reads", dropBehind);
    // A connection is kept for each thread.
    conf.setInt("dfs.client.socketcache.capacity", threads);
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      List<Callable<Void>> loops = loops(fs);
      System.out.println(RandomReaders.READY);
      while (!Files.exists(startFile)) {
        Thread.sleep(POLL_MS);
      }
      long wait = Long.parseLong(Files.readString(startFile)) - System.currentTimeMillis();
      if (wait < 0) {
        throw new IOException("the measured time began " + -wait + " ms ago: started too late");
      }
      beginNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
      endNanos = beginNanos + TimeUnit.SECONDS.toNanos(seconds);
      run(loops);
      new ObjectMapper().writeValue(report.toFile(), toJson());
    }
    return 0;
  }

  /** A loop for each thread. */
  private List<Callable<Void>> loops(FileSystem fs) throws IOException {
    List<FileStatus> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> listed =
        fs.listFiles(new org.apache.hadoop.fs.Path(directory), true);
    while (listed.hasNext()) {
      files.add(listed.next());
    }
    if (threads < 1 || threads > files.size()) {
      throw new IllegalArgumentException(
          "--threads must be 1 to the number of files below "
              + directory
              + ", "
              + files.size()
              + ", not "
              + threads);
    }
    // The first reads of a process are slow while its classes are loaded.
    try (FSDataInputStream in = fs.open(files.get(0).getPath())) {
      in.readFully(new byte[(int) Math.min(length, files.get(0).getLen())]);
    }
    List<Callable<Void>> loops = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      List<FileStatus> own = new ArrayList<>();
      for (int file = thread; file < files.size(); file += threads) {
        own.add(files.get(file));
      }
      loops.add(() -> loop(fs, own));
    }
    return loops;
  }

  private void run(List<Callable<Void>> loops) throws IOException, InterruptedException {
    micros.setAutoResize(true);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (Future<Void> loop : pool.invokeAll(loops)) {
        loop.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a read failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private Void loop(FileSystem fs, List<FileStatus> own) throws IOException {
    byte[] buffer = new byte[length];
    while (true) {
      for (FileStatus file : own) {
        try (FSDataInputStream in = fs.open(file.getPath())) {
          for (long left = file.getLen(); left > 0; left -= length) {
            if (System.nanoTime() - endNanos >= 0) {
              return null;
            }
            read(in, buffer, (int) Math.min(left, length));
          }
        }
      }
    }
  }

  private void read(FSDataInputStream in, byte[] buffer, int count) throws IOException {
    long begin = System.nanoTime();
    in.readFully(buffer, 0, count);
    long now = System.nanoTime();
    if (begin - beginNanos >= 0) {
      micros.recordValue(TimeUnit.NANOSECONDS.toMicros(now - begin));
    }
    if (now - beginNanos >= 0 && now - endNanos < 0) {
      reads.increment();
      bytes.add(count);
    }
  }

  private ObjectNode toJson() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("reads", micros.getTotalCount());
    json.put("seconds", seconds);
    json.put("reads_per_s", reads.sum() / (double) seconds);
    json.put("mb_per_s", bytes.sum() / BYTES_PER_MB / seconds);
    json.put("mean_ms", micros.getMean() / MICROS_PER_MS);
    json.put("p50_ms", micros.getValueAtPercentile(50) / MICROS_PER_MS);
    json.put("p95_ms", micros.getValueAtPercentile(95) / MICROS_PER_MS);
    json.put("p99_ms", micros.getValueAtPercentile(99) / MICROS_PER_MS);
    json.put("max_ms", micros.getMaxValue() / MICROS_PER_MS);
    return json;
  }
}
