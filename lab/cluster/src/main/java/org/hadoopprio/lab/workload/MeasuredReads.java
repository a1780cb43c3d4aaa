// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What client processes have in common that read HDFS files and measure how long each read takes.
 * Not thread-safe.
 */
final class MeasuredReads {

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
      names = "--conf",
      paramLabel = "KEY=VALUE",
      description = "Settings beside those of the client's configuration files.")
  private Map<String, String> settings = Map.of();

  @Mixin private MeasuredRun run;

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
    settings.forEach(conf::set);
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

  /** See {@link MeasuredRun#awaitStart}. */
  MeasuredWindow awaitStart() throws IOException, InterruptedException {
    return run.awaitStart();
  }

  /** See {@link MeasuredRun#report}. */
  void report(ReadLatencies latencies) throws IOException {
    run.report(latencies);
  }

  /** See {@link MeasuredRun#report}. */
  void report(ObjectNode result) throws IOException {
    run.report(result);
  }
}
