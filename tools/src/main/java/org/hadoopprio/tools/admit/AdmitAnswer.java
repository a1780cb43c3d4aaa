// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.admit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerLimits;
import org.hadoopprio.simulation.DiskModel;

/** What {@code hprio admit} prints: the disk, the prediction, and how far others were off. */
final class AdmitAnswer {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String source;
  private final SchedulerLimits limits;
  private final DiskModel model;
  private final Prediction prediction;

  /**
   * An answer.
   *
   * @param source where the figures of the disk are from
   */
  AdmitAnswer(String source, SchedulerLimits limits, DiskModel model, Prediction prediction) {
    this.source = source;
    this.limits = limits;
    this.model = model;
    this.prediction = prediction;
  }

  /**
   * One line for programs.
   *
   * @param cached the part of the short reads that the page cache answers, in percent
   * @param secondReads the part of those after which another one follows, in percent
   */
  String toJson(double cached, double secondReads) throws JsonProcessingException {
    ObjectNode json = JSON.valueToTree(prediction);
    ObjectNode disk = json.putObject("disk");
    disk.put("source", source);
    disk.put("readMillis", model.readMillis());
    disk.put("readDeviationMillis", model.deviationMillis());
    disk.put("streamMegabytesPerSecond", model.megabytesPerSecond());
    disk.put("turnOverheadMillis", model.turnOverheadMillis());
    disk.put("openMillis", model.openMillis());
    json.put("realtimeShare", limits.realtimeShare());
    json.put("cachedPercent", cached);
    json.put("secondReadsPercent", secondReads);
    ObjectNode measured = json.putObject("measured");
    measured.put("source", PredictionErrors.SOURCE);
    measured.set("pairs", JSON.valueToTree(PredictionErrors.PAIRS));
    return JSON.writeValueAsString(json);
  }

  /**
   * For people.
   *
   * @param late how many reads of a class may miss its target, in percent
   */
  String toText(double late) {
    List<String> lines = new ArrayList<>();
    lines.add("disk: " + source);
    lines.add(
        String.format(
            Locale.ROOT,
            "  a read alone %.1f ms (deviation %.1f), its opening %.1f ms, a stream %.0f MB/s, the"
                + " begin of a turn %.1f ms; real-time share %.2f",
            model.readMillis(),
            model.deviationMillis(),
            model.openMillis(),
            model.megabytesPerSecond(),
            model.turnOverheadMillis(),
            limits.realtimeShare()));
    String row = "%-12s %8s %8s %8s %8s %10s %8s  %s";
    if (!prediction.reads().isEmpty()) {
      lines.add("");
      lines.add(
          String.format(
              row, "reads", "per s", "p50 ms", "p95 ms", "p99 ms", "target ms", "late %", "fits"));
    }
    for (Prediction.Reads each : prediction.reads()) {
      boolean target = each.targetMillis() > 0;
      lines.add(
          String.format(
                  row,
                  each.priority(),
                  decimal(each.perSecond()),
                  millis(each, Prediction.Reads::p50Millis),
                  millis(each, Prediction.Reads::p95Millis),
                  millis(each, Prediction.Reads::p99Millis),
                  target ? each.targetMillis() : "-",
                  prediction.overloaded() || !target ? "-" : decimal(each.latePercent()),
                  prediction.overloaded()
                      ? "no"
                      : !target ? "-" : each.withinTarget() ? "yes" : "no")
              .stripTrailing());
    }
    if (!prediction.streams().isEmpty()) {
      lines.add("");
      lines.add(String.format("%-12s %8s %8s %8s", "streams", "count", "MB/s", "each"));
    }
    for (Prediction.Streams each : prediction.streams()) {
      double all = each.megabytesPerSecond();
      lines.add(
          String.format(
              "%-12s %8d %8s %8s",
              each.priority(), each.count(), decimal(all), decimal(all / each.count())));
    }
    lines.add("");
    lines.add(verdict(late));
    lines.add(PredictionErrors.inWords());
    return String.join(System.lineSeparator(), lines);
  }

  private String verdict(double late) {
    if (prediction.overloaded()) {
      return "does not fit: more reads arrive than the disk can answer";
    }
    List<String> missed = new ArrayList<>();
    boolean targets = false;
    for (Prediction.Reads each : prediction.reads()) {
      targets |= each.targetMillis() > 0;
      if (!each.withinTarget()) {
        missed.add(each.priority());
      }
    }
    if (!missed.isEmpty()) {
      return "does not fit: more than "
          + decimal(late)
          + " % of the reads miss the target of "
          + String.join(", ", missed);
    }
    return targets
        ? "fits: of each class with a target, at most " + decimal(late) + " % of the reads miss it"
        : "fits: the disk answers all reads; no class has a target";
  }

  /** Under overload, latencies only tell how long the simulation was. */
  private String millis(Prediction.Reads reads, ToDoubleFunction<Prediction.Reads> quantile) {
    return prediction.overloaded() ? "-" : decimal(quantile.applyAsDouble(reads));
  }

  static String decimal(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}
