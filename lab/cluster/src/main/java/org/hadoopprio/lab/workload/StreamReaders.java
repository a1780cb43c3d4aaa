// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.RateLimiter;
import org.apache.hadoop.util.GenericOptionsParser;

/**
 * A program that reads HDFS files sequentially, each by a thread of its own, again and again until
 * it is ended. It uses nothing of hadoop-prio: a priority comes from the agent and the environment
 * variable {@code HADOOP_IO_PRIORITY}, as for any other program.
 *
 * <p>The files of a directory are shared out to the streams, none to two of them. What is read
 * leaves the page cache of the DataNode again, but for pages that are still being sent (all of it
 * stays with {@code -D dfs.client.cache.drop.behind.reads=false}); so each time a file is read to
 * its end, a line of JSON says so ({@code finished}: the file), for those who want to drop the
 * rest.
 *
 * <p>{@link ReportedStreams} describes what else it prints.
 */
public final class StreamReaders {

  private static final int BUFFER_BYTES = 1 << 17;

  private final ObjectMapper json = new ObjectMapper();
  private final FileSystem fs;
  private final RateLimiter limiter;
  private final ReportedStreams streams = new ReportedStreams();

  private StreamReaders(FileSystem fs, RateLimiter limiter) {
    this.fs = fs;
    this.limiter = limiter;
  }

  /**
   * Reads until the process is ended.
   *
   * @param arguments Hadoop's generic options, the directory of {@link StreamFiles}, the number of
   *     streams, and if wanted a limit for all of them together in bytes per second
   */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean("dfs.client.cache.drop.behind.reads", true);
    String[] own = new GenericOptionsParser(conf, arguments).getRemainingArgs();
    if (own.length < 2 || own.length > 3) {
      System.err.println(
          "Usage: StreamReaders [-D KEY=VALUE] DIRECTORY STREAMS [BYTES_PER_SECOND]");
      System.exit(2);
    }
    RateLimiter limiter = own.length < 3 ? null : RateLimiter.create(Double.parseDouble(own[2]));
    StreamReaders readers = new StreamReaders(FileSystem.get(conf), limiter);
    readers.start(new Path(own[0]), Integer.parseInt(own[1]));
    readers.streams.report();
  }

  private void start(Path directory, int count) throws IOException {
    int files = fs.listStatus(directory).length;
    if (count < 1 || count > files) {
      throw new IllegalArgumentException(
          "there can be 1 to " + files + " streams in " + directory + ", not " + count);
    }
    for (int i = 0; i < count; i++) {
      List<Path> own = new ArrayList<>();
      for (int file = i; file < files; file += count) {
        own.add(StreamFiles.file(directory, file));
      }
      streams.start(new Stream(own));
    }
  }

  /** Some files, read one after the other, again and again. */
  private final class Stream extends ReportedStreams.Stream {

    private final List<Path> files;

    Stream(List<Path> files) {
      this.files = files;
    }

    @Override
    void work() throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      while (true) {
        for (Path file : files) {
          read(file, buffer);
        }
      }
    }

    private void read(Path file, byte[] buffer) throws IOException {
      try (FSDataInputStream in = fs.open(file)) {
        for (int count = read(in, buffer); count >= 0; count = read(in, buffer)) {
          if (limiter != null && count > 0) {
            limiter.acquire(count);
          }
        }
      }
      System.out.println(json.createObjectNode().put("finished", file.toUri().getPath()));
    }

    private int read(FSDataInputStream in, byte[] buffer) throws IOException {
      return timed(() -> in.read(buffer));
    }

    @Override
    public String toString() {
      return "the stream of " + files;
    }
  }
}
