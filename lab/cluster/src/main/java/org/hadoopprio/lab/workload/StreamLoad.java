// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** {@link StreamReaders} or {@link StreamWriters} at work in a process of its own. Thread-safe. */
public final class StreamLoad implements Closeable {

  private static final long POLL_MS = 100;
  private static final long START_TIMEOUT_MS = 60_000;

  private final ChildProcess process;
  private final List<Sample> samples;

  /** What the streams had done at one moment. Immutable. */
  private static final class Sample {

    private final long timeMillis;
    private final List<Long> bytes;
    private final List<Double> waits;

    private Sample(JsonNode line) {
      this.timeMillis = line.path("time_ms").asLong();
      this.bytes = numbers(line.path("bytes")).map(Double::longValue).collect(Collectors.toList());
      this.waits = numbers(line.path("longest_wait_ms")).collect(Collectors.toList());
    }

    private static java.util.stream.Stream<Double> numbers(JsonNode array) {
      return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asDouble);
    }

    private long allBytes() {
      return bytes.stream().mapToLong(Long::longValue).sum();
    }
  }

  private StreamLoad(ChildProcess process, List<Sample> samples) {
    this.process = process;
    this.samples = samples;
  }

  /** The arguments of {@link StreamReaders} for streams as fast as they can. */
  public static String[] arguments(String directory, int streams) {
    return new String[] {directory, Integer.toString(streams)};
  }

  /**
   * Starts reading and returns when the streams report.
   *
   * @param builder of a command of {@link StreamReaders} or {@link StreamWriters}
   * @param log where its output goes
   * @param finished is told each time a file is read to its end; called by one thread
   */
  public static StreamLoad start(ProcessBuilder builder, Path log, Consumer<String> finished)
      throws IOException {
    List<Sample> samples = new CopyOnWriteArrayList<>();
    ObjectMapper json = new ObjectMapper();
    ChildProcess process =
        ChildProcess.start(
            "stream readers", builder, log, line -> add(json, line, samples, finished));
    StreamLoad load = new StreamLoad(process, samples);
    try {
      load.awaitFirstSample();
      return load;
    } catch (IOException | RuntimeException e) {
      load.close();
      throw e;
    }
  }

  private static void add(
      ObjectMapper json, String line, List<Sample> samples, Consumer<String> finished) {
    if (!line.startsWith("{")) {
      return;
    }
    try {
      JsonNode report = json.readTree(line);
      if (report.has("finished")) {
        finished.accept(report.path("finished").asText());
      } else {
        samples.add(new Sample(report));
      }
    } catch (JsonProcessingException e) {
      // Not a report: a log message that begins like one.
      return;
    }
  }

  private void awaitFirstSample() throws IOException {
    long until = System.nanoTime() + START_TIMEOUT_MS * 1_000_000;
    while (samples.isEmpty()) {
      if (process.await(POLL_MS)) {
        throw process.failure("ended at once");
      }
      if (System.nanoTime() > until) {
        throw process.failure("read nothing for " + START_TIMEOUT_MS / 1000 + " s");
      }
    }
  }

  /**
   * Checks that the streams still read.
   *
   * @throws IOException with the end of their output if not
   */
  public void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw process.failure("ended");
    }
  }

  /**
   * Bytes per second of all streams together.
   *
   * @param fromMillis the window's begin, since the epoch; reports come once a second, so the
   *     window is taken to the nearest ones
   * @param toMillis the window's end
   */
  public double bytesPerSecond(long fromMillis, long toMillis) {
    Sample first = nearest(fromMillis);
    Sample last = nearest(toMillis);
    double seconds = (last.timeMillis - first.timeMillis) / 1000.0;
    return seconds <= 0 ? 0 : (last.allBytes() - first.allBytes()) / seconds;
  }

  /** The longest that any stream waited for one read call in a window, in ms. */
  public double longestWaitMillis(long fromMillis, long toMillis) {
    return samples.stream()
        .filter(sample -> sample.timeMillis >= fromMillis && sample.timeMillis <= toMillis)
        .flatMap(sample -> sample.waits.stream())
        .mapToDouble(Double::doubleValue)
        .max()
        .orElse(0);
  }

  private Sample nearest(long timeMillis) {
    return samples.stream()
        .min(
            (a, b) ->
                Long.compare(
                    Math.abs(a.timeMillis - timeMillis), Math.abs(b.timeMillis - timeMillis)))
        .orElseThrow();
  }

  /** Ends the streams. */
  @Override
  public void close() {
    process.close();
  }
}
