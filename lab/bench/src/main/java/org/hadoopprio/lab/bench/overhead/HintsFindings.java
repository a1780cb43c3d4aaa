package org.hadoopprio.lab.bench.overhead;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.Target.Bound;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What the agent costs with and without hints. */
final class HintsFindings {

  static final double MIN_THROUGHPUT = 0.99;
  static final double MAX_CPU = 1.01;
  static final double MAX_EXTRA_US = 3;

  /** A wider interval between stock and stock cannot show what the targets ask for. */
  static final double MAX_NOISE_PERCENT = 1;

  private static final String SOURCE = "the project's aim";
  private static final double US_PER_S = 1e6;
  private static final double PERCENT = 100;

  private final Map<ClientOperation, Ratios> measured = new EnumMap<>(ClientOperation.class);
  private final StartUps starts;

  HintsFindings(Results results) {
    starts =
        new StartUps(OverheadExperiment.of(results, OverheadExperiment.STARTUP), Variant.FOR_HINTS);
    for (ClientOperation operation : ClientOperation.values()) {
      Ratios ratios =
          new Ratios(operation::units, OverheadExperiment.of(results, operation.label()));
      if (!ratios.isEmpty()) {
        measured.put(operation, ratios);
      }
    }
  }

  void addTo(Findings findings) {
    for (ClientOperation operation : ClientOperation.values()) {
      addTargets(findings, operation);
    }
    // Within the same processes: two that run the same code differ by more than a hint costs.
    findings.add(
        Target.of(
            "random pread, CPU time that a hint adds, µs per read",
            Bound.AT_MOST,
            MAX_EXTRA_US,
            Optional.ofNullable(measured.get(ClientOperation.PREAD))
                .map(preads -> preads.hintCpu().times(US_PER_S))
                .filter(Estimate::hasInterval),
            SOURCE));
    if (!measured.isEmpty()) {
      findings.add(
          figure(
              "overhead-rate",
              "Rate compared with stock",
              "rate beyond stock, %",
              Ratios::throughput));
      findings.add(
          figure(
              "overhead-cpu",
              "CPU time per operation compared with stock, client and daemon",
              "CPU time beyond stock, %",
              Ratios::cpu));
      findings.add(ratioTable()).add(absoluteTable());
      addMethod(findings);
    }
    addStartUps(findings);
    addNoise(findings);
  }

  private void addTargets(Findings findings, ClientOperation operation) {
    Optional<Ratios> ratios = Optional.ofNullable(measured.get(operation));
    findings.add(
        Target.of(
            operation.words() + ", no hints / stock, rate",
            Bound.AT_LEAST,
            MIN_THROUGHPUT,
            ratios.map(r -> r.throughput(Variant.UNHINTED)).filter(Estimate::hasInterval),
            SOURCE));
    findings.add(
        Target.of(
            operation.words() + ", no hints / stock, CPU time per " + operation.unit(),
            Bound.AT_MOST,
            MAX_CPU,
            ratios.map(r -> r.cpu(Variant.UNHINTED)).filter(Estimate::hasInterval),
            SOURCE));
  }

  private Figure figure(
      String id, String title, String yLabel, BiFunction<Ratios, Variant, Estimate> of) {
    List<String> categories =
        measured.keySet().stream().map(ClientOperation::words).collect(Collectors.toList());
    Figure figure = Figure.bars(id, title, "operation", yLabel, categories);
    for (Variant variant : Variant.FOR_HINTS) {
      if (variant != Variant.STOCK) {
        List<Double> y = new ArrayList<>();
        List<Double> error = new ArrayList<>();
        for (Ratios ratios : measured.values()) {
          Estimate ratio = of.apply(ratios, variant);
          y.add((ratio.mean() - 1) * PERCENT);
          error.add(ratio.halfWidth() * PERCENT);
        }
        figure.series(variant.words(), y, error);
      }
    }
    return figure.caption(
        "Bars: mean over rounds of new processes; error bars: 95 % confidence interval. \"Stock"
            + " again\" compares stock with stock: it shows the method's own noise.");
  }

  private ReportTable ratioTable() {
    ReportTable table =
        new ReportTable(
            "Compared with stock: ratio (95 % confidence interval)",
            List.of("operation", "variant", "rate", "CPU time per unit", "rounds"));
    measured.forEach(
        (operation, ratios) -> {
          for (Variant variant : Variant.FOR_HINTS) {
            if (variant != Variant.STOCK) {
              Estimate rate = ratios.throughput(variant);
              table.row(
                  List.of(
                      operation.words(),
                      variant.words(),
                      rate.toString(),
                      ratios.cpu(variant).toString(),
                      Integer.toString(rate.count())));
            }
          }
        });
    return table;
  }

  private ReportTable absoluteTable() {
    ReportTable table =
        new ReportTable(
            "Measured: mean ± half of the 95 % confidence interval",
            List.of("operation", "variant", "rate", "client CPU", "daemon CPU"));
    measured.forEach(
        (operation, ratios) -> {
          String unit = operation.unit();
          for (Variant variant : Variant.FOR_HINTS) {
            table.row(
                List.of(
                    operation.words(),
                    variant.words(),
                    ratios.rate(variant).plusMinus() + " " + unit + "/s",
                    ratios.clientCpu(variant).times(US_PER_S).plusMinus() + " µs/" + unit,
                    ratios.daemonCpu(variant).times(US_PER_S).plusMinus() + " µs/" + unit));
          }
        });
    return table;
  }

  private void addStartUps(Findings findings) {
    if (!starts.isEmpty()) {
      findings.add(starts.table("Start of a DataNode, until the NameNode has registered it"));
    }
  }

  /** Says where the machine was too noisy to decide. */
  private void addNoise(Findings findings) {
    measured.forEach(
        (operation, ratios) -> {
          Estimate rate = ratios.throughput(Variant.CONTROL);
          if (!rate.hasInterval()) {
            findings.note(operation.words() + ": one round only, so no interval and no verdict.");
            return;
          }
          addNoise(findings, operation, "rate", rate);
          addNoise(findings, operation, "CPU time", ratios.cpu(Variant.CONTROL));
        });
  }

  private static void addNoise(
      Findings findings, ClientOperation operation, String what, Estimate noise) {
    double percent = noise.halfWidth() * PERCENT;
    if (percent > MAX_NOISE_PERCENT) {
      findings.note(
          String.format(
              Locale.ROOT,
              "%s, %s: stock against stock is known only to ± %.1f %%, more than the 1 %% in"
                  + " question, so a smaller cost would not show. More rounds (--repeat) narrow"
                  + " it.",
              operation.words(),
              what,
              percent));
    }
  }

  private static void addMethod(Findings findings) {
    findings.note(
        "All data are in memory (page cache, block cache) and one client thread works at a time on"
            + " an otherwise idle machine. This is the worst case for a cost per operation, because"
            + " no disk hides it.");
    findings.note(
        "Intervals are over rounds of new processes, because two JVMs that run the same code settle"
            + " at different speeds.");
    findings.note(
        "What a hint adds is measured in one pair of processes that states it in every other block.");
    findings.note(
        "The priority of the hinted operations is "
            + SideBySide.HINT
            + ". Writes carry none on the wire; they are measured to show that.");
  }

  /** The main result in a line; empty where it was not measured. */
  Optional<String> summary() {
    return Optional.ofNullable(measured.get(ClientOperation.PREAD))
        .map(
            preads ->
                "no hints / stock: rate "
                    + means(Ratios::throughput)
                    + "; CPU "
                    + means(Ratios::cpu)
                    + "; a hint adds "
                    + preads.hintCpu().times(US_PER_S)
                    + " µs of CPU to a pread");
  }

  private String means(BiFunction<Ratios, Variant, Estimate> of) {
    return measured.entrySet().stream()
        .map(
            entry ->
                String.format(
                    Locale.ROOT,
                    "%s %.3f",
                    entry.getKey().label(),
                    of.apply(entry.getValue(), Variant.UNHINTED).mean()))
        .collect(Collectors.joining(", "));
  }
}
