package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What a packet costs with the DataNode's scheduler of disk time off and on. */
final class SchedulerFindings {

  /** Packets per second in mode turns, divided by those in mode off. */
  static final double MIN_RATE = 0.98;

  /** The rate at which that shall hold. */
  static final double PACKETS_PER_S = 100_000;

  private static final String SOURCE = "the project's aim";
  private static final double US_PER_S = 1e6;

  private final Map<SchedulerLoad, List<CellResult>> results = new EnumMap<>(SchedulerLoad.class);
  private final Map<SchedulerLoad, Ratios> measured = new EnumMap<>(SchedulerLoad.class);

  SchedulerFindings(Results all) {
    for (SchedulerLoad load : SchedulerLoad.values()) {
      List<CellResult> rounds = OverheadExperiment.of(all, load.label());
      if (!rounds.isEmpty()) {
        results.put(load, rounds);
        measured.put(load, new Ratios(Block::operations, rounds, Variant.OFFS));
      }
    }
  }

  void addTo(Findings findings) {
    addTarget(findings, SchedulerLoad.CACHED);
    addTarget(findings, SchedulerLoad.DEVICE);
    findings
        .add(
            Target.of(
                    "packets per second in mode off, " + SchedulerLoad.CACHED.words(),
                    Target.Bound.AT_LEAST,
                    PACKETS_PER_S,
                    of(SchedulerLoad.CACHED, ratios -> ratios.rate(Variant.OFF)),
                    SOURCE)
                .reportedOnly())
        .add(
            Target.of(
                "reads held open at the same time, at the least",
                Target.Bound.AT_LEAST,
                SchedulerScale.DATA_XCEIVERS,
                held().map(all -> single(numbers(all, "reads").min().orElse(0))),
                SOURCE))
        .add(
            Target.of(
                "failed reads among those held open, in all",
                Target.Bound.AT_MOST,
                0,
                held().map(all -> single(numbers(all, "failed").sum())),
                SOURCE));
    if (measured.isEmpty()) {
      return;
    }
    findings.add(loads()).add(volumes());
    held().ifPresent(all -> findings.add(heldReads()));
    findings
        .note(
            "Scheduler: "
                + SchedulerBed.STREAMS
                + " streams read a block each, again and again, in packets of "
                + SchedulerBed.PACKET_BYTES
                + " bytes, from one DataNode process whose scheduler's mode is changed between"
                + " blocks. CPU time is that of the DataNode's process, without the kernel's own"
                + " threads. The client counts packets and throws them away; it is on the same"
                + " processors.")
        .note(
            "Scheduler: mode off is stock Hadoop but for the woven hooks; what these cost is in the"
                + " part hints. The device is a loop device in memory.");
  }

  private Optional<Estimate> of(SchedulerLoad load, Function<Ratios, Estimate> value) {
    return Optional.ofNullable(measured.get(load)).map(value);
  }

  private void addTarget(Findings findings, SchedulerLoad load) {
    findings.add(
        Target.of(
            "turns / off, packets per second, " + load.words(),
            Target.Bound.AT_LEAST,
            MIN_RATE,
            of(load, ratios -> ratios.throughput(Variant.TURNS)).filter(Estimate::hasInterval),
            SOURCE));
  }

  private ReportTable loads() {
    ReportTable table =
        new ReportTable(
            "Scheduler of disk time: mean over rounds ± half of the 95 % confidence interval",
            List.of(
                "streams",
                "mode",
                "packets/s",
                "packets/s / off",
                "CPU per packet, µs",
                "CPU / off",
                "client's CPU per packet, µs"));
    measured.forEach(
        (load, ratios) -> {
          for (Variant variant : Variant.FOR_SCHEDULER) {
            boolean first = variant == Variant.OFF;
            table.row(
                List.of(
                    load.words(),
                    variant.words(),
                    ratios.rate(variant).plusMinus(),
                    first ? "" : ratios.throughput(variant).toString(),
                    ratios.daemonCpu(variant).times(US_PER_S).plusMinus(),
                    first ? "" : ratios.daemonCpuRatio(variant).toString(),
                    ratios.clientCpu(variant).times(US_PER_S).plusMinus()));
          }
        });
    return table;
  }

  private ReportTable volumes() {
    ReportTable table =
        new ReportTable(
            "Scheduler of disk time: what mode turns is on the volume",
            List.of(
                "streams",
                "device",
                "mode in force",
                "streams at once",
                "because",
                "turns per block",
                "waits per block",
                "waited per block, ms"));
    results.forEach(
        (load, rounds) -> {
          JsonNode volume = rounds.get(0).measured().path("volume");
          table.row(
              List.of(
                  load.words(),
                  volume.path("device").asText(),
                  volume.path("mode").asText(),
                  volume.path("streams").asText(),
                  volume.path("reason").asText(),
                  perBlock(rounds, "turns"),
                  perBlock(rounds, "waits"),
                  perBlock(rounds, "wait_ms")));
        });
    return table;
  }

  private static String perBlock(List<CellResult> rounds, String name) {
    List<JsonNode> blocks = new ArrayList<>();
    rounds.forEach(round -> round.measured().path("queue").forEach(blocks::add));
    return String.format(Locale.ROOT, "%.0f", numbers(blocks, name).average().orElse(0));
  }

  /** What was noted of the held reads in each block of each mode; empty if there are none. */
  private Optional<List<JsonNode>> held() {
    List<JsonNode> all = new ArrayList<>();
    Variant.FOR_SCHEDULER.forEach(variant -> all.addAll(held(variant)));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  private List<JsonNode> held(Variant variant) {
    List<JsonNode> all = new ArrayList<>();
    for (CellResult round : results.getOrDefault(SchedulerLoad.HELD, List.of())) {
      round.measured().path("held").path(variant.label()).forEach(all::add);
    }
    return all;
  }

  private static DoubleStream numbers(List<JsonNode> all, String name) {
    return all.stream().mapToDouble(each -> each.path(name).asDouble());
  }

  private static Estimate single(double value) {
    return Estimate.of(List.of(value));
  }

  private ReportTable heldReads() {
    ReportTable table =
        new ReportTable(
            "Scheduler of disk time: reads held open beside the streams, each block",
            List.of(
                "mode",
                "reads",
                "DataXceivers",
                "descriptors",
                "failed",
                "opened in, s",
                "ended in, s"));
    for (Variant variant : Variant.FOR_SCHEDULER) {
      for (JsonNode block : held(variant)) {
        table.row(
            List.of(
                variant.words(),
                block.path("reads").asText(),
                block.path("data_xceivers").asText(),
                block.path("descriptors").asText(),
                block.path("failed").asText(),
                String.format(Locale.ROOT, "%.1f", block.path("open_s").asDouble()),
                String.format(Locale.ROOT, "%.1f", block.path("finish_s").asDouble())));
      }
    }
    return table;
  }

  /** The main result in a line; empty where it was not measured. */
  Optional<String> summary() {
    return Optional.ofNullable(measured.get(SchedulerLoad.CACHED))
        .map(
            ratios ->
                String.format(
                    Locale.ROOT,
                    "turns / off: %.3f of %.0f packets/s",
                    ratios.throughput(Variant.TURNS).mean(),
                    ratios.rate(Variant.OFF).mean()));
  }
}
