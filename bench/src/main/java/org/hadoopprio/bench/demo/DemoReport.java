package org.hadoopprio.bench.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hadoopprio.IoPriority;
import org.hadoopprio.bench.trace.BlockTraceSummary;

/** What the demo has measured; filled in by the demo's thread. */
public final class DemoReport {

  private static final String NOT_MEASURED = "-";

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final double MIB = 1 << 20;

  /** The reads of one priority in one phase. */
  private static final class Reads {
    private final IoPriority priority;
    private final String phase;
    private final YcsbReport.Latencies latencies;
    private final long failures;
    private final double seconds;

    private Reads(IoPriority priority, String phase, YcsbReport report) {
      String series = "READ-" + priority;
      this.priority = priority;
      this.phase = phase;
      this.latencies = report.latencies(series);
      this.failures = report.failures(series);
      this.seconds = report.seconds();
    }
  }

  /** A job and what it has read. */
  private static final class Job {
    private final String name;
    private final long amount;
    private final String unit;
    private final double seconds;
    private final int percentAtReadStart;
    private final int percentAtReadEnd;

    private Job(
        String name, long amount, String unit, double seconds, int[] percentAtReadStartAndEnd) {
      this.name = name;
      this.amount = amount;
      this.unit = unit;
      this.seconds = seconds;
      this.percentAtReadStart = percentAtReadStartAndEnd[0];
      this.percentAtReadEnd = percentAtReadStartAndEnd[1];
    }
  }

  private final List<Reads> reads = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private final Map<String, String> about = new LinkedHashMap<>();
  private BlockTraceSummary block;
  private String blockMissing;
  private Double diskBusyShare;
  private String trace = "";

  /** Something worth knowing about the run. */
  void about(String what, String value) {
    about.put(what, value);
  }

  /** Adds YCSB's reads of one phase, with and without the priority. */
  void addReads(String phase, YcsbReport report) {
    reads.add(new Reads(DemoSettings.READ_PRIORITY, phase, report));
    reads.add(new Reads(IoPriority.NONE, phase, report));
  }

  /**
   * Adds an ended job.
   *
   * @param unit what is counted: {@code bytes} or {@code rows}
   * @param seconds how long its map tasks took
   * @param percentAtReadStartAndEnd how far the map tasks were when the reads began and ended
   */
  void addJob(
      String name, long amount, String unit, double seconds, int[] percentAtReadStartAndEnd) {
    jobs.add(new Job(name, amount, unit, seconds, percentAtReadStartAndEnd));
  }

  void block(BlockTraceSummary summary) {
    this.block = summary;
  }

  /** Why there is nothing from the block layer. */
  void blockMissing(String reason) {
    this.blockMissing = reason;
  }

  /** The share of the time in which a disk had work while YCSB read beside the jobs, 0 to 1. */
  void diskBusyShare(double share) {
    this.diskBusyShare = share;
  }

  /** The hops of one Get, for people. */
  void trace(String text) {
    this.trace = text;
  }

  /** The table, and below it the trace of one Get. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    about.forEach((what, value) -> text.append(what).append(": ").append(value).append('\n'));
    text.append('\n').append(table());
    for (Job job : jobs) {
      text.append(
          format(
              "%nWhile YCSB read, the map tasks of %s went from %d to %d %%.",
              job.name, job.percentAtReadStart, job.percentAtReadEnd));
    }
    text.append('\n');
    if (diskBusyShare != null) {
      text.append(
          format(
              "Each disk had work in %.0f %% of that time. A priority can only shorten the waiting"
                  + " for other requests:%nthe less a disk has to do, the less the classes differ"
                  + " in latency.%n",
              diskBusyShare * 100));
    }
    if (blockMissing != null) {
      text.append("\nNo figures from the block layer: ").append(blockMissing).append('\n');
    } else if (block.lostEvents() > 0) {
      text.append("\nThe kernel has lost ")
          .append(block.lostEvents())
          .append(" trace events: the figures from the block layer are too low.\n");
    }
    if (!trace.isEmpty()) {
      text.append('\n').append(trace);
    }
    return text.toString();
  }

  private TextTable table() {
    TextTable table =
        new TextTable(
            2,
            "priority",
            "work",
            "operations",
            "failed",
            "rate",
            "mean ms",
            "p95 ms",
            "p99 ms",
            "max ms",
            "disk reads",
            "MiB",
            "share");
    for (Reads r : reads) {
      table.row(
          r.priority.toString(),
          "HBase reads" + r.phase,
          Long.toString(r.latencies.operations()),
          Long.toString(r.failures),
          format("%.1f/s", r.seconds == 0 ? 0 : r.latencies.operations() / r.seconds),
          milliseconds(r.latencies.mean()),
          milliseconds(r.latencies.p95()),
          milliseconds(r.latencies.p99()),
          milliseconds(r.latencies.max()),
          NOT_MEASURED,
          NOT_MEASURED,
          NOT_MEASURED);
    }
    for (Job job : jobs) {
      table.row(
          DemoSettings.JOB_PRIORITY.toString(),
          job.name,
          job.unit.equals("bytes") ? format("%.0f MiB", job.amount / MIB) : job.amount + " rows",
          NOT_MEASURED,
          rate(job),
          NOT_MEASURED,
          NOT_MEASURED,
          NOT_MEASURED,
          NOT_MEASURED,
          NOT_MEASURED,
          NOT_MEASURED,
          NOT_MEASURED);
    }
    if (block != null) {
      block.reads().forEach((kernelText, count) -> addBlockLayer(table, kernelText, count));
    }
    return table;
  }

  /** What the disks were asked for in one class while the jobs ran, whoever asked. */
  private void addBlockLayer(TextTable table, String kernelText, BlockTraceSummary.Count count) {
    long all = block.allReads().bytes();
    table.row(
        kernelText,
        "block layer, beside the jobs",
        NOT_MEASURED,
        NOT_MEASURED,
        NOT_MEASURED,
        NOT_MEASURED,
        NOT_MEASURED,
        NOT_MEASURED,
        NOT_MEASURED,
        Long.toString(count.requests()),
        format("%.1f", count.bytes() / MIB),
        format("%.1f %%", all == 0 ? 0 : 100.0 * count.bytes() / all));
  }

  private static String rate(Job job) {
    if (job.seconds == 0) {
      return NOT_MEASURED;
    }
    return job.unit.equals("bytes")
        ? format("%.1f MiB/s", job.amount / MIB / job.seconds)
        : format("%.0f/s", job.amount / job.seconds);
  }

  private static String milliseconds(double micros) {
    return format("%.1f", micros / 1000);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** The same for programs: latencies in microseconds, sizes in bytes, times in seconds. */
  public String toJson() throws IOException {
    ObjectNode root = JSON.createObjectNode();
    ObjectNode aboutNode = root.putObject("about");
    about.forEach(aboutNode::put);
    for (Reads r : reads) {
      root.withArray("reads")
          .addObject()
          .put("priority", r.priority.toString())
          .put("besideJobs", r.phase.isEmpty())
          .put("operations", r.latencies.operations())
          .put("failures", r.failures)
          .put("seconds", r.seconds)
          .put("meanMicros", r.latencies.mean())
          .put("p95Micros", r.latencies.p95())
          .put("p99Micros", r.latencies.p99())
          .put("maxMicros", r.latencies.max());
    }
    for (Job job : jobs) {
      root.withArray("jobs")
          .addObject()
          .put("name", job.name)
          .put("priority", DemoSettings.JOB_PRIORITY.toString())
          .put("amount", job.amount)
          .put("unit", job.unit)
          .put("mapSeconds", job.seconds)
          .put("mapPercentAtReadStart", job.percentAtReadStart)
          .put("mapPercentAtReadEnd", job.percentAtReadEnd);
    }
    addBlock(root);
    if (diskBusyShare != null) {
      root.put("diskBusyShare", diskBusyShare);
    }
    root.put("trace", trace);
    return JSON.writeValueAsString(root);
  }

  private void addBlock(ObjectNode root) {
    if (block == null) {
      root.put("blockLayerMissing", blockMissing);
      return;
    }
    ObjectNode node = root.putObject("blockLayer");
    node.put("lostEvents", block.lostEvents());
    addCounts(node.putObject("reads"), block.reads());
    addCounts(node.putObject("writes"), block.writes());
  }

  private static void addCounts(ObjectNode node, Map<String, BlockTraceSummary.Count> counts) {
    counts.forEach(
        (priority, count) ->
            node.putObject(priority).put("requests", count.requests()).put("bytes", count.bytes()));
  }
}
