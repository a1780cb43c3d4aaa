package org.hadoopprio.lab.bench.overhead;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What a read costs with each of the DataNode's engines. */
final class EnginesFindings {

  /** A DataNode's CPU time for an uncached read of 64 KiB, divided by stock's. */
  static final double MAX_CPU = 1.10;

  private static final String SOURCE = "the project's aim";
  private static final double US_PER_S = 1e6;
  private static final double MIB = 1 << 20;

  private final Map<ReadKind, Ratios> measured = new EnumMap<>(ReadKind.class);

  EnginesFindings(Results results) {
    for (ReadKind kind : ReadKind.values()) {
      Ratios ratios = new Ratios(Block::operations, OverheadExperiment.of(results, kind.label()));
      if (!ratios.isEmpty()) {
        measured.put(kind, ratios);
      }
    }
  }

  void addTo(Findings findings) {
    addTarget(findings, Variant.THREAD);
    addTarget(findings, Variant.DIRECT);
    if (measured.isEmpty()) {
      return;
    }
    ReportTable table =
        new ReportTable(
            "Engines: mean over rounds ± half of the 95 % confidence interval",
            List.of("reads", "variant", "CPU per read, µs", "CPU / stock", "MiB/s"));
    measured.forEach(
        (kind, ratios) -> {
          for (Variant variant : Variant.FOR_ENGINES) {
            String ratio = variant == Variant.STOCK ? "" : ratios.cpu(variant).plusMinus();
            table.row(
                List.of(
                    kind.label(),
                    variant.words(),
                    ratios.daemonCpu(variant).times(US_PER_S).plusMinus(),
                    ratio,
                    ratios.rate(variant).times(kind.bytes() / MIB).plusMinus()));
          }
        });
    findings
        .add(table)
        .note(
            "Engines: CPU time is that of the DataNode's process, with ncq also that of the helper;"
                + " it excludes the client and the kernel's own threads. One client reads, one read"
                + " at a time.")
        .note(
            "Engines: the disks are loop devices. With ncq, the loop device stands in for a SATA"
                + " disk, so the cost of SG_IO and of a drive is not included.");
  }

  private void addTarget(Findings findings, Variant variant) {
    findings.add(
        Target.of(
            variant.words() + " / stock, CPU time per uncached read of 64 KiB",
            Target.Bound.AT_MOST,
            MAX_CPU,
            Optional.ofNullable(measured.get(ReadKind.SMALL_UNCACHED))
                .map(ratios -> ratios.cpu(variant))
                .filter(Estimate::hasInterval),
            SOURCE));
  }

  /** The main result in a line; empty where it was not measured. */
  Optional<String> summary() {
    return Optional.ofNullable(measured.get(ReadKind.SMALL_UNCACHED))
        .map(
            ratios ->
                Variant.FOR_ENGINES.stream()
                    .map(
                        variant ->
                            String.format(
                                Locale.ROOT,
                                "%s %.0f µs",
                                variant.words(),
                                ratios.daemonCpu(variant).mean() * US_PER_S))
                    .collect(Collectors.joining(", ", "CPU per uncached 64 KiB read: ", "")));
  }
}
