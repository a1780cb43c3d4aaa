// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One run of fio: random direct reads of a block device by one or more jobs at a time. Not safe for
 * use by several threads.
 *
 * <p>Latencies are fio's {@code lat}, from when a request is made to its end. Its {@code clat}
 * leaves out the wait for a free tag, which passes inside of {@code io_submit}.
 */
final class Fio {

  /** The size of each read, which is that of the published measurements. */
  static final int READ_KIB = 128;

  private static final double MS_NS = 1e6;
  private static final double MB = 1e6;

  /** fio's names of the percentiles, and ours, which are those of {@code vhdd sim}. */
  private static final Map<String, String> PERCENTILES =
      Map.of(
          "50.000000", "p50_ms",
          "95.000000", "p95_ms",
          "99.000000", "p99_ms",
          "99.900000", "p99.9_ms");

  private static final List<String> CLASSES = List.of("none", "rt", "be", "idle");

  private final List<String> command = new ArrayList<>();
  private final int seconds;

  /**
   * A run without jobs yet.
   *
   * @param seconds how long it measures
   * @param seed of the places to read
   */
  Fio(Path device, int seconds, long seed) {
    this.seconds = seconds;
    command.addAll(
        List.of(
            // Not with a real-time CPU policy: the kernel takes it as I/O class RT where none is
            // set.
            "fio",
            "--output-format=json",
            "--filename=" + device,
            "--rw=randread",
            "--bs=" + READ_KIB + "k",
            "--direct=1",
            "--ioengine=libaio",
            "--norandommap",
            "--randseed=" + seed,
            "--time_based",
            "--runtime=" + seconds,
            "--ramp_time=" + TimedLoad.RAMP_SECONDS,
            // A background that starves would measure when the foreground is over.
            "--exitall",
            "--clat_percentiles=0",
            "--lat_percentiles=1",
            "--percentile_list=50:95:99:99.9"));
  }

  /**
   * Adds a job.
   *
   * @param depth how many requests it keeps outstanding, at most
   */
  Fio job(String name, int depth, String... options) {
    command.add("--name=" + name);
    command.add("--iodepth=" + depth);
    command.addAll(List.of(options));
    return this;
  }

  /** The command line. */
  String command() {
    return String.join(" ", command);
  }

  /**
   * Runs it.
   *
   * @return what {@link #parse} makes of its output
   * @throws InterruptedIOException if the thread is interrupted; fio is killed
   */
  ObjectNode run(TimedLoad.Window window) throws IOException {
    return parse(TimedLoad.run(command, seconds, window));
  }

  /**
   * Reads fio's JSON.
   *
   * @param output may begin with warnings
   * @return for each job {@code n}, {@code iops}, {@code mb_per_s} and the latencies {@code
   *     mean_ms}, {@code p50_ms} and so on; where its requests differ in priority, the same for
   *     each class at {@code classes}. A job that has read nothing has only {@code n} and {@code
   *     iops}.
   * @throws IOException if a job failed
   */
  static ObjectNode parse(String output) throws IOException {
    int start = output.indexOf('{');
    JsonNode root = new ObjectMapper().readTree(start < 0 ? "" : output.substring(start));
    if (root.path("jobs").isEmpty()) {
      throw new IOException("fio has printed no result: " + output);
    }
    ObjectNode jobs = new ObjectMapper().createObjectNode();
    for (JsonNode job : root.path("jobs")) {
      String name = job.path("jobname").asText();
      JsonNode read = job.path("read");
      if (job.path("error").asInt() != 0) {
        throw new IOException(
            "fio's job " + name + " failed, error " + job.path("error") + ": " + output);
      }
      double seconds = read.path("runtime").asDouble() / 1000;
      ObjectNode summary = summary(read, seconds);
      summary.put("mb_per_s", read.path("bw_bytes").asDouble() / MB);
      if (read.path("prios").size() > 1) {
        ObjectNode classes = summary.putObject("classes");
        for (JsonNode priority : read.path("prios")) {
          classes.set(CLASSES.get(priority.path("prioclass").asInt()), summary(priority, seconds));
        }
      }
      jobs.set(name, summary);
    }
    return jobs;
  }

  private static ObjectNode summary(JsonNode node, double seconds) {
    JsonNode latency = node.path("lat_ns");
    long count = latency.path("N").asLong();
    ObjectNode summary = new ObjectMapper().createObjectNode();
    summary.put("n", count);
    summary.put("iops", count == 0 ? 0 : count / seconds);
    if (count == 0) {
      return summary;
    }
    summary.put("mean_ms", latency.path("mean").asDouble() / MS_NS);
    latency
        .path("percentile")
        .fields()
        .forEachRemaining(
            field -> {
              String name = PERCENTILES.get(field.getKey());
              if (name != null) {
                summary.put(name, field.getValue().asDouble() / MS_NS);
              }
            });
    summary.put("max_ms", latency.path("max").asDouble() / MS_NS);
    return summary;
  }
}
