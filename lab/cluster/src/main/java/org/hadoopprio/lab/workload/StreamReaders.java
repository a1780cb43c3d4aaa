package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
 * <p>Once a second it prints a line of JSON: {@code time_ms} (since the epoch), {@code bytes} (per
 * stream, since the start) and {@code longest_wait_ms} (per stream, of the read calls that ended in
 * that second or still wait).
 */
public final class StreamReaders {

  private static final int BUFFER_BYTES = 1 << 17;
  private static final long REPORT_INTERVAL_MS = 1_000;
  private static final long NOT_WAITING = 0;
  private static final double MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final ObjectMapper json = new ObjectMapper();
  private final FileSystem fs;
  private final RateLimiter limiter;
  private final List<Stream> streams = new ArrayList<>();

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
    readers.report();
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
      Stream stream = new Stream(own);
      streams.add(stream);
      Thread thread = new Thread(stream, "stream-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Prints a line per second; ends only with an exception, when a stream has failed. */
  private void report() throws IOException, InterruptedException {
    while (true) {
      Thread.sleep(REPORT_INTERVAL_MS);
      ObjectNode line = json.createObjectNode();
      line.put("time_ms", System.currentTimeMillis());
      ArrayNode bytes = line.putArray("bytes");
      ArrayNode waits = line.putArray("longest_wait_ms");
      for (Stream stream : streams) {
        stream.requireNoFailure();
        bytes.add(stream.bytes.get());
        waits.add(stream.takeLongestWaitMillis());
      }
      System.out.println(line);
    }
  }

  /** Some files, read one after the other, again and again. */
  private final class Stream implements Runnable {

    private final List<Path> files;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong longestWaitNanos = new AtomicLong();
    private volatile long waitingSince = NOT_WAITING;
    private volatile IOException failure;

    Stream(List<Path> files) {
      this.files = files;
    }

    @Override
    public void run() {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        while (true) {
          for (Path file : files) {
            read(file, buffer);
          }
        }
      } catch (IOException e) {
        failure = e;
      }
    }

    private void read(Path file, byte[] buffer) throws IOException {
      try (FSDataInputStream in = fs.open(file)) {
        for (int count = read(in, buffer); count >= 0; count = read(in, buffer)) {
          bytes.addAndGet(count);
        }
      }
      System.out.println(json.createObjectNode().put("finished", file.toUri().getPath()));
    }

    private int read(FSDataInputStream in, byte[] buffer) throws IOException {
      long start = System.nanoTime();
      waitingSince = start;
      int count = in.read(buffer);
      waitingSince = NOT_WAITING;
      long waited = System.nanoTime() - start;
      longestWaitNanos.accumulateAndGet(waited, Math::max);
      if (limiter != null && count > 0) {
        limiter.acquire(count);
      }
      return count;
    }

    /** The longest wait since the last call, one that goes on included. */
    private double takeLongestWaitMillis() {
      long since = waitingSince;
      long present = since == NOT_WAITING ? 0 : System.nanoTime() - since;
      return Math.max(present, longestWaitNanos.getAndSet(0)) / MILLI_NANOS;
    }

    private void requireNoFailure() throws IOException {
      IOException seen = failure;
      if (seen != null) {
        throw new IOException("the stream of " + files + " has failed", seen);
      }
    }
  }
}
