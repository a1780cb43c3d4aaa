package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import picocli.CommandLine.Option;

/**
 * What client processes have in common that read HDFS files and measure how long each read takes:
 * options, the agreement with their parent on when to begin, and the report. The process says
 * {@link #READY}; its parent then writes the start file. Not thread-safe.
 */
public final class MeasuredReads {

  /** The line that the process prints when it is ready to read. */
  public static final String READY = "ready";

  private static final long POLL_MS = 50;

  @Option(
      names = "--directory",
      required = true,
      description = "HDFS directory below which the files are.")
  private String directory;

  @Option(
      names = "--length",
      required = true,
      description = "Bytes of a read; if reads are at random places, a multiple of the page size.")
  private int length;

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

  MeasuredReads() {}

  /** The directory below which the files are. */
  org.apache.hadoop.fs.Path directory() {
    return new org.apache.hadoop.fs.Path(directory);
  }

  /** Bytes of a read. */
  int length() {
    return length;
  }

  /**
   * The file system of the client's own configuration.
   *
   * @param dropBehind whether what has been read leaves the DataNode's page cache
   * @param threads that read; a connection is kept for each
   */
  FileSystem fileSystem(boolean dropBehind, int threads) throws IOException {
    Configuration conf = new Configuration();
    conf.setBoolean("dfs.client.cache.drop.behind.reads", dropBehind);
    conf.setInt("dfs.client.socketcache.capacity", threads);
    return FileSystem.newInstance(conf);
  }

  /**
   * The files below the directory.
   *
   * @param leastBytes shorter ones are left out
   */
  List<FileStatus> files(FileSystem fs, long leastBytes) throws IOException {
    List<FileStatus> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> listed = fs.listFiles(directory(), true);
    while (listed.hasNext()) {
      FileStatus file = listed.next();
      if (file.getLen() >= leastBytes) {
        files.add(file);
      }
    }
    return files;
  }

  /**
   * Says that the process is ready and returns when it may read.
   *
   * @throws IllegalArgumentException if the time to measure has begun before
   */
  MeasuredWindow awaitStart() throws IOException, InterruptedException {
    System.out.println(READY);
    while (!Files.exists(startFile)) {
      Thread.sleep(POLL_MS);
    }
    long start = Long.parseLong(Files.readString(startFile));
    return MeasuredWindow.at(start, TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Writes the result. */
  void report(ReadLatencies latencies) throws IOException {
    new ObjectMapper().writeValue(report.toFile(), latencies.toJson());
  }
}
