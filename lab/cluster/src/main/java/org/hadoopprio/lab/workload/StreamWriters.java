// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.GenericOptionsParser;

/**
 * A program that writes HDFS files, each by a thread of its own, the same file again and again
 * until it is ended. It uses nothing of hadoop-prio: a priority comes from the agent and the
 * environment variable {@code HADOOP_IO_PRIORITY}, as for any other program. {@link
 * ReportedStreams} describes what it prints.
 */
public final class StreamWriters {

  private static final int BUFFER_BYTES = 1 << 17;

  private StreamWriters() {}

  /**
   * Writes until the process is ended.
   *
   * @param arguments Hadoop's generic options, the directory, the number of files, and the size of
   *     each in bytes
   */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new HdfsConfiguration();
    String[] own = new GenericOptionsParser(conf, arguments).getRemainingArgs();
    if (own.length != 3) {
      System.err.println("Usage: StreamWriters [-D KEY=VALUE] DIRECTORY STREAMS BYTES");
      System.exit(2);
    }
    FileSystem fs = FileSystem.get(conf);
    int count = Integer.parseInt(own[1]);
    long size = Long.parseLong(own[2]);
    ReportedStreams streams = new ReportedStreams();
    for (int i = 0; i < count; i++) {
      streams.start(new Stream(fs, StreamFiles.file(new Path(own[0]), i), size));
    }
    streams.report();
  }

  /** One file, written again and again. */
  private static final class Stream extends ReportedStreams.Stream {

    private final FileSystem fs;
    private final Path file;
    private final long size;

    Stream(FileSystem fs, Path file, long size) {
      this.fs = fs;
      this.file = file;
      this.size = size;
    }

    @Override
    void work() throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      new Random(size).nextBytes(buffer);
      while (true) {
        try (FSDataOutputStream out = fs.create(file, true)) {
          for (long written = 0; written < size; written += buffer.length) {
            timed(
                () -> {
                  out.write(buffer);
                  return buffer.length;
                });
          }
        }
      }
    }

    @Override
    public String toString() {
      return "the writer of " + file;
    }
  }
}
