// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.apache.hadoop.tools.TableListing;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.trace.BlockTraceSummary;

/** The results of the demo; filled in by the demo's thread. */
public final class DemoReport {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final double MIB = 1 << 20;
  private static final double CACHED_WORTH_SAYING = 0.02;

  /** What was measured with one system, stock Hadoop or hadoop-prio, beside the scans. */
  static final class Phase {
    private final String system;
    private final Histogram reads;
    private final long failures;
    private final double seconds;
    private final double scanBytesPerSecond;
    private OptionalDouble diskBusyShare = OptionalDouble.empty();
    private OptionalDouble diskBytesPerSecond = OptionalDouble.empty();
    private BlockTraceSummary block;

    /**
     * The reads of a phase.
     *
     * @param reads their latencies in microseconds, from the arrival on
     */
    Phase(
        String system, Histogram reads, long failures, double seconds, double scanBytesPerSecond) {
      this.system = system;
      this.reads = reads;
      this.failures = failures;
      this.seconds = seconds;
      this.scanBytesPerSecond = scanBytesPerSecond;
    }

    /**
     * What the disk did meanwhile, where known.
     *
     * @param busyShare the share of the time in which it had work, 0 to 1
     * @param bytesPerSecond what it read, for anybody
     */
    void disk(OptionalDouble busyShare, OptionalDouble bytesPerSecond) {
      this.diskBusyShare = busyShare;
      this.diskBytesPerSecond = bytesPerSecond;
    }

    private double p95() {
      return reads.getValueAtPercentile(95);
    }

    /** Scans that the page cache serves show a memory and no disk. */
    private void addCached(StringBuilder text) {
      if (diskBytesPerSecond.isPresent()) {
        double cached = 1 - diskBytesPerSecond.getAsDouble() / scanBytesPerSecond;
        if (cached > CACHED_WORTH_SAYING) {
          text.append(
              format(
                  "%s: %.0f %% of what the scans read did not come from the disk%n",
                  system, 100 * cached));
        }
      }
    }

    /** The requests that the disk got meanwhile; null if they are not known. */
    void block(BlockTraceSummary summary) {
      this.block = summary;
    }
  }

  private final Map<String, String> about = new LinkedHashMap<>();
  private Phase stock;
  private Phase prio;
  private String blockMissing;
  private boolean slowDisk;
  private ReadAhead readAhead;

  /** Something worth knowing about the run. */
  void about(String what, String value) {
    about.put(what, value);
  }

  /** Whether the disk is slow enough for requests to wait for each other. */
  void slowDisk(boolean slow) {
    this.slowDisk = slow;
  }

  /** How much the kernel reads ahead on the disk. */
  void readAhead(ReadAhead kernels) {
    this.readAhead = kernels;
  }

  void stock(Phase phase) {
    this.stock = phase;
  }

  void prio(Phase phase) {
    this.prio = phase;
  }

  /** Why the block layer was not traced. */
  void blockMissing(String reason) {
    this.blockMissing = reason;
  }

  /** What Gets and scans got, stock beside hadoop-prio: two figures for one picture. */
  public List<Figure> figures() {
    Figure gets =
        Figure.curves(
                "demo-gets",
                "HBase Gets beside "
                    + DemoSettings.SCANS
                    + " scans of HDFS files on one disk"
                    + (readAhead == null ? "" : ", read-ahead " + readAhead),
                "latency of a Get, ms",
                "Gets answered within it, %")
            .logX()
            .caption(about.getOrDefault("disk", ""));
    Figure scans =
        Figure.bars(
            "demo-scans",
            format("The scans: %.0f %% of stock's", scansKept()),
            "",
            "MiB/s",
            List.of("all of them together"));
    for (Phase phase : phases()) {
      addDistribution(gets, phase);
      scans.series(phase.system, List.of(phase.scanBytesPerSecond / MIB), List.of(0.0));
    }
    return List.of(gets, scans);
  }

  /** What the scans read with hadoop-prio, in percent of what they read on stock. */
  private double scansKept() {
    return 100 * prio.scanBytesPerSecond / stock.scanBytesPerSecond;
  }

  private static void addDistribution(Figure figure, Phase phase) {
    List<Double> millis = new ArrayList<>();
    List<Double> percent = new ArrayList<>();
    for (HistogramIterationValue value : phase.reads.recordedValues()) {
      millis.add(Math.max(1, value.getValueIteratedTo()) / 1000.0);
      percent.add(value.getPercentileLevelIteratedTo());
    }
    figure.series(phase.system, millis, percent, Collections.nCopies(millis.size(), 0.0));
  }

  private List<Phase> phases() {
    List<Phase> phases = new ArrayList<>();
    Optional.ofNullable(stock).ifPresent(phases::add);
    Optional.ofNullable(prio).ifPresent(phases::add);
    return phases;
  }

  /** The tables. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    about.forEach((what, value) -> text.append(what).append(": ").append(value).append('\n'));
    text.append('\n').append(latencies());
    text.append(
        format(
            "%nstock / hadoop-prio: mean %.1f, p95 %.1f; the scans keep %.0f %%%n",
            stock.reads.getMean() / prio.reads.getMean(), stock.p95() / prio.p95(), scansKept()));
    for (Phase phase : phases()) {
      phase.addCached(text);
    }
    if (!slowDisk) {
      text.append(
          "This disk is not slow. A priority only shortens the wait for other requests, so the"
              + "\nlatencies may differ by chance only.\n");
    }
    if (blockMissing != null) {
      text.append("\nNo figures from the block layer: ").append(blockMissing).append('\n');
    } else {
      text.append('\n').append(blockLayer());
      lostEvents(text);
    }
    return text.toString();
  }

  private TableListing latencies() {
    TableListing table =
        Tables.of(
            1,
            "system",
            "Gets",
            "failed",
            "rate",
            "mean ms",
            "p95 ms",
            "max ms",
            "disk busy",
            "scans MiB/s",
            "disk MiB/s");
    for (Phase phase : phases()) {
      table.addRow(
          phase.system,
          Long.toString(phase.reads.getTotalCount()),
          Long.toString(phase.failures),
          format("%.1f/s", phase.reads.getTotalCount() / phase.seconds),
          milliseconds(phase.reads.getMean()),
          milliseconds(phase.p95()),
          milliseconds((double) phase.reads.getMaxValue()),
          phase.diskBusyShare.isPresent()
              ? format("%.0f %%", phase.diskBusyShare.getAsDouble() * 100)
              : "-",
          format("%.1f", phase.scanBytesPerSecond / MIB),
          phase.diskBytesPerSecond.isPresent()
              ? format("%.1f", phase.diskBytesPerSecond.getAsDouble() / MIB)
              : "-");
    }
    return table;
  }

  /** The requests that the disk got in each class, from any process. */
  private TableListing blockLayer() {
    TableListing table = Tables.of(2, "system", "block layer", "reads", "MiB", "share");
    for (Phase phase : phases()) {
      long all = phase.block.allReads().bytes();
      phase
          .block
          .reads()
          .forEach(
              (kernelText, count) ->
                  table.addRow(
                      phase.system,
                      kernelText,
                      Long.toString(count.requests()),
                      format("%.1f", count.bytes() / MIB),
                      format("%.1f %%", all == 0 ? 0 : 100.0 * count.bytes() / all)));
    }
    return table;
  }

  private void lostEvents(StringBuilder text) {
    long lost = phases().stream().mapToLong(phase -> phase.block.lostEvents()).sum();
    if (lost > 0) {
      text.append("\nThe kernel lost ")
          .append(lost)
          .append(" trace events: the figures from the block layer are too low.\n");
    }
  }

  private static String milliseconds(double micros) {
    return format("%.1f", micros / 1000);
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** The report for programs: latencies in microseconds, sizes in bytes, times in seconds. */
  public String toJson() throws IOException {
    ObjectNode root = JSON.createObjectNode();
    ObjectNode aboutNode = root.putObject("about");
    about.forEach(aboutNode::put);
    for (Phase phase : phases()) {
      root.withArray("phases").add(json(phase));
    }
    if (blockMissing != null) {
      root.put("blockLayerMissing", blockMissing);
    }
    return JSON.writeValueAsString(root);
  }

  private ObjectNode json(Phase phase) {
    ObjectNode node =
        JSON.createObjectNode()
            .put("system", phase.system)
            .put("operations", phase.reads.getTotalCount())
            .put("failures", phase.failures)
            .put("seconds", phase.seconds)
            .put("meanMicros", phase.reads.getMean())
            .put("p95Micros", phase.p95())
            .put("maxMicros", phase.reads.getMaxValue());
    phase.diskBusyShare.ifPresent(share -> node.put("diskBusyShare", share));
    node.put("scanBytesPerSecond", phase.scanBytesPerSecond);
    phase.diskBytesPerSecond.ifPresent(bytes -> node.put("diskBytesPerSecond", bytes));
    if (phase.block != null) {
      ObjectNode block = node.putObject("blockLayer");
      block.put("lostEvents", phase.block.lostEvents());
      addCounts(block.putObject("reads"), phase.block.reads());
      addCounts(block.putObject("writes"), phase.block.writes());
    }
    return node;
  }

  private static void addCounts(ObjectNode node, Map<String, BlockTraceSummary.Count> counts) {
    counts.forEach(
        (priority, count) ->
            node.putObject(priority).put("requests", count.requests()).put("bytes", count.bytes()));
  }
}
