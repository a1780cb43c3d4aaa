// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Streams, each on a thread of its own, until the process is ended. Once a second they print a line
 * of JSON: {@code time_ms} (since the epoch), {@code bytes} (per stream, since the start) and
 * {@code longest_wait_ms} (per stream, of the calls that ended in that second or still wait).
 * {@link StreamLoad} reads these lines.
 */
final class ReportedStreams {

  private static final long REPORT_INTERVAL_MS = 1_000;
  private static final long NOT_WAITING = 0;
  private static final double MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final ObjectMapper json = new ObjectMapper();
  private final List<Stream> streams = new ArrayList<>();

  /** A call that reads or writes. */
  @FunctionalInterface
  interface Transfer {
    /** Returns the number of bytes; less than 0 at the end. */
    int run() throws IOException;
  }

  /** One stream; {@link #work} is all it does. */
  abstract static class Stream implements Runnable {

    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong longestWaitNanos = new AtomicLong();
    private volatile long waitingSince = NOT_WAITING;
    private volatile IOException failure;

    /** Works until something fails. */
    abstract void work() throws IOException;

    @Override
    public final void run() {
      try {
        work();
      } catch (IOException e) {
        failure = e;
      }
    }

    /** Does one call, whose bytes and time count; returns its result. */
    final int timed(Transfer call) throws IOException {
      long start = System.nanoTime();
      waitingSince = start;
      int count = call.run();
      waitingSince = NOT_WAITING;
      longestWaitNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
      bytes.addAndGet(Math.max(0, count));
      return count;
    }

    /** The longest wait since the last call of this method, one that goes on included. */
    private double takeLongestWaitMillis() {
      long since = waitingSince;
      long present = since == NOT_WAITING ? 0 : System.nanoTime() - since;
      return Math.max(present, longestWaitNanos.getAndSet(0)) / MILLI_NANOS;
    }

    private void requireNoFailure() throws IOException {
      IOException seen = failure;
      if (seen != null) {
        throw new IOException(this + " has failed", seen);
      }
    }
  }

  /** Starts a stream. */
  void start(Stream stream) {
    Thread thread = new Thread(stream, "stream-" + streams.size());
    streams.add(stream);
    thread.setDaemon(true);
    thread.start();
  }

  /** Prints a line per second; ends only with an exception, when a stream has failed. */
  void report() throws IOException, InterruptedException {
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
}
