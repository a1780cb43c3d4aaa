package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.IoPriority;
import org.hadoopprio.ycsb.Arrivals;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A client process that makes positioned reads at random places of HDFS files, as a store of
 * records does, and measures how long each takes.
 */
@Command(name = "RandomReaders", mixinStandardHelpOptions = true)
public final class RandomReaders implements Callable<Integer> {

  /** The line that the process prints when it is ready to read. */
  public static final String READY = "ready";

  private static final long POLL_MS = 50;

  @Option(
      names = "--directory",
      required = true,
      description = "HDFS directory whose files are read.")
  private String directory;

  @Option(
      names = "--length",
      required = true,
      description = "Bytes of a read, a multiple of the page size.")
  private int length;

  @Option(names = "--threads", required = true, description = "Reads under way, at most.")
  private int threads;

  @Option(
      names = "--rate",
      description = "Open loop: reads a second, arriving at random. Default: closed loop.")
  private Double rate;

  @Option(names = "--priority", description = "Default: the reads state none.")
  private String priority;

  @Option(
      names = "--start-file",
      required = true,
      description =
          "Reading begins when this file is there; it holds the milliseconds since the epoch at"
              + " which measuring begins.")
  private Path startFile;

  @Option(names = "--seconds", required = true, description = "How long to measure.")
  private int seconds;

  @Option(names = "--seed", description = "Of the arrivals of an open loop.")
  private long seed;

  @Option(names = "--report", required = true, description = "JSON file for the result.")
  private Path report;

  private RandomReaders() {}

  /** See {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new RandomReaders()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Configuration conf = new Configuration();
    // What has been read leaves the DataNode's page cache, so each read reaches the disk.
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    // A connection is kept for each thread.
    conf.setInt("dfs.client.socketcache.capacity", threads);
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      // As HBase does, whose blocks have checksums of their own: HDFS's would cost a second read.
      fs.setVerifyChecksum(false);
      try (RandomPlaces places =
          RandomPlaces.open(
              fs,
              new org.apache.hadoop.fs.Path(directory),
              length,
              priority == null ? null : IoPriority.parse(priority))) {
        new ObjectMapper().writeValue(report.toFile(), measure(places).toJson());
      }
    }
    return 0;
  }

  private ReadLatencies measure(RandomPlaces places) throws IOException, InterruptedException {
    // The first reads of a process are slow while its classes are loaded.
    places.read();
    System.out.println(READY);
    MeasuredWindow window = MeasuredWindow.at(awaitStart(), TimeUnit.SECONDS.toNanos(seconds));
    ReadLoad load = new ReadLoad(places::read, window);
    return rate == null ? load.closed(threads) : load.open(new Arrivals(rate, seed, 0, 0), threads);
  }

  private long awaitStart() throws IOException, InterruptedException {
    while (!Files.exists(startFile)) {
      Thread.sleep(POLL_MS);
    }
    return Long.parseLong(Files.readString(startFile));
  }
}
