// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/**
 * What Gets leave of the disk to streams: what these read alone in turns, less the time of the
 * Gets' reads. Each of them takes as long as where nothing else is read, and then the arm goes back
 * to a stream, which takes as long without the transfer. All of it is measured in one repetition of
 * one run. Immutable.
 */
final class StreamsBound {

  /** Those that have a bound, beside {@link MixedPlan#MAIN} in the open loop. */
  private static final Set<MixedSystem> SYSTEMS = EnumSet.of(MixedSystem.HOST, MixedSystem.FULL);

  private static final String READS_PER_GET = "/disk/reads_per_get";
  private static final double BYTES_PER_MB = 1e6;
  private static final double MS_PER_SECOND = 1e3;

  private static final List<String> COLUMNS =
      List.of(
          "system",
          "streams alone MB/s",
          "reads of Gets/s",
          "ms of one alone",
          "left to streams MB/s",
          "measured MB/s",
          "measured / left");

  private final double alone;
  private final double readsPerSecond;
  private final double readMillis;
  private final double readBytes;
  private final double measured;

  /**
   * A bound.
   *
   * @param streams the streams without Gets
   * @param gets the Gets without streams
   * @param both the two together
   */
  private StreamsBound(CellResult streams, CellResult gets, CellResult both) {
    double reads = 0;
    double millis = 0;
    double bytes = 0;
    for (JsonNode each : gets.measured().at("/disk/classes")) {
      if (each.path("operation").asText().equals("read")) {
        double count = each.path("count").asDouble();
        reads += count;
        millis += count * each.path("service_ms").asDouble();
        bytes += each.path("bytes").asDouble();
      }
    }
    this.alone = streams.number(MixedTargets.BACKGROUND);
    this.readsPerSecond = both.number("/gets/per_second") * both.number(READS_PER_GET);
    this.readMillis = millis / reads;
    this.readBytes = bytes / reads;
    this.measured = both.number(MixedTargets.BACKGROUND);
  }

  /** The bounds of a system, one for each repetition that has what it takes. */
  private static List<StreamsBound> of(MixedResults results, MixedSystem system) {
    List<StreamsBound> bounds = new ArrayList<>();
    for (CellResult both : results.of(GetLoad.OPEN, MixedPlan.MAIN, system).all()) {
      int repetition = both.cell().repetition();
      Optional<CellResult> streams = one(results, MixedSystem.NO_GETS, repetition);
      Optional<CellResult> gets = one(results, MixedSystem.BOUND, repetition);
      // Only a virtual disk tells.
      if (streams.isPresent()
          && gets.isPresent()
          && !gets.get().measured().at("/disk/classes").isEmpty()
          && both.measured().at(READS_PER_GET).isNumber()) {
        bounds.add(new StreamsBound(streams.get(), gets.get(), both));
      }
    }
    return bounds;
  }

  private static Optional<CellResult> one(
      MixedResults results, MixedSystem system, int repetition) {
    return results.of(GetLoad.OPEN, MixedPlan.MAIN, system).all().stream()
        .filter(result -> result.cell().repetition() == repetition)
        .findFirst();
  }

  /** In bytes per second; 0 where Gets leave nothing. */
  private double left() {
    double readSeconds = (2 * readMillis) / MS_PER_SECOND - readBytes / alone;
    return Math.max(0, alone * (1 - readsPerSecond * readSeconds));
  }

  /** What the streams of a system read beside Gets, as a part of what these leave them. */
  static Optional<Estimate> ratio(MixedResults results, MixedSystem system) {
    return estimate(of(results, system), bound -> bound.measured / bound.left());
  }

  private static Optional<Estimate> estimate(
      List<StreamsBound> bounds, ToDoubleFunction<StreamsBound> value) {
    List<Double> values = new ArrayList<>();
    bounds.stream()
        .filter(bound -> bound.left() > 0)
        .forEach(bound -> values.add(value.applyAsDouble(bound)));
    return values.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(values));
  }

  /** Adds how the bounds come about, if there are any. */
  static void addTable(Findings findings, MixedResults results) {
    ReportTable table = new ReportTable("What Gets leave of the disk to 16 streams", COLUMNS);
    for (MixedSystem system : SYSTEMS) {
      List<StreamsBound> bounds = of(results, system);
      Optional<Estimate> ratio = ratio(results, system);
      if (ratio.isPresent()) {
        table.row(
            List.of(
                system.label(),
                text(bounds, bound -> bound.alone / BYTES_PER_MB),
                text(bounds, bound -> bound.readsPerSecond),
                text(bounds, bound -> bound.readMillis),
                text(bounds, bound -> bound.left() / BYTES_PER_MB),
                text(bounds, bound -> bound.measured / BYTES_PER_MB),
                ratio.get().plusMinus()));
      }
    }
    if (!table.rows().isEmpty()) {
      findings.add(table);
      findings.note(
          "Left to streams: what they read alone in turns, less, for each read of a Get, the time"
              + " that it takes alone and as much again without its transfer, because the arm has"
              + " to go back. It is an estimate: a Get that comes when a turn ends costs no way"
              + " back, and one that comes from a stream has a longer way.");
    }
  }

  private static String text(List<StreamsBound> bounds, ToDoubleFunction<StreamsBound> value) {
    return estimate(bounds, value).map(Estimate::plusMinus).orElse("");
  }
}
