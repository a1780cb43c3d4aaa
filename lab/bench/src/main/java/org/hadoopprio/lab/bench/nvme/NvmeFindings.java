// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.Target.Bound;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the simulated cells. For one use. */
final class NvmeFindings {

  private static final String SOURCE = "HotStorage 2017: 210, 143, 75.8 K IOPS";
  private static final String WEIGHTS = "the weights";
  private static final String NO_CHOICE = "nothing is left to choose from";

  /** Thousands of reads in a second, as published. */
  private static final double PUBLISHED_BEST_EFFORT = 210;

  private static final double PUBLISHED_NONE = 143;
  private static final double PUBLISHED_IDLE = 75.8;

  /** How far a ratio may be from the published one. */
  private static final double TOLERANCE = 0.1;

  private static final List<String> CLASSES = List.of(Load.BEST_EFFORT, Load.NO_CLASS, Load.IDLE);
  private static final int FEW_INSIDE = NvmeExperiment.INSIDE_BESIDE_GETS.get(0);
  private static final int MANY_INSIDE = NvmeExperiment.INSIDE_BESIDE_GETS.get(2);

  private final Results results;
  private final Findings findings = new Findings();

  NvmeFindings(List<CellResult> results) {
    this.results = new Results(results);
  }

  Findings findings() {
    addShares();
    addHeldBack();
    addGets();
    findings.note(
        "This is a simulation: no drive was measured, and nothing follows for a product.");
    findings.note(
        "The simulated drive serves what is inside in the order in which it was taken, at a fixed"
            + " rate. A drive whose flash dies are not equally busy has longer tails inside, and"
            + " fewer reads a second when little is inside.");
    findings.note(
        "The weights behind the published figures are not published; 3:2:1 is what fits them.");
    findings.summary(
        "best-effort, none, idle at 3:2:1 "
            + CLASSES.stream().map(this::thousands).collect(Collectors.joining(", "))
            + " K IOPS; p99 of Gets, one queue a core, then urgent: "
            + NvmeExperiment.INSIDE_BESIDE_GETS.stream()
                .map(n -> p99(GetSystem.ONE_QUEUE, n) + ", " + p99(GetSystem.URGENT, n))
                .collect(Collectors.joining("; "))
            + " us with 32; 128; 512 inside");
    return findings;
  }

  // --- numbers ------------------------------------------------------------------------------

  private Results of(Load load, Queues queues, int inside) {
    Map<String, String> factors = NvmeExperiment.factors(load, queues, inside);
    return results.of(cell -> cell.factors().equals(factors));
  }

  private Results shares(Queues queues, int inside) {
    return of(Load.PUBLISHED, queues, inside);
  }

  private static String iops(String application) {
    return "/" + application + "/iops";
  }

  /** Of each repetition, what one application gets of what another one gets. */
  private static Optional<Estimate> ratio(Results results, String of, String by) {
    List<Double> ratios =
        results.all().stream()
            .map(r -> r.number(iops(of)) / r.number(iops(by)))
            .collect(Collectors.toList());
    return ratios.isEmpty() ? Optional.empty() : Optional.of(Estimate.of(ratios));
  }

  private String thousands(String application) {
    return text(
        shares(Queues.WEIGHTS_3_2_1, NvmeExperiment.USUAL_INSIDE)
            .estimate(iops(application), value -> value / 1e3));
  }

  private Results gets(GetSystem system, int inside) {
    return of(system.load, system.queues, inside);
  }

  private Optional<Estimate> p99Micros(GetSystem system, int inside) {
    return gets(system, inside).estimate("/" + Load.GET + "/p99_us");
  }

  private String p99(GetSystem system, int inside) {
    return text(p99Micros(system, inside));
  }

  private static String text(Optional<Estimate> estimate) {
    return estimate.map(e -> Numbers.text(e.mean())).orElse("-");
  }

  // --- shares -------------------------------------------------------------------------------

  private void addShares() {
    addPublished(Load.BEST_EFFORT, Load.NO_CLASS, PUBLISHED_BEST_EFFORT / PUBLISHED_NONE);
    addPublished(Load.NO_CLASS, Load.IDLE, PUBLISHED_NONE / PUBLISHED_IDLE);
    addPublished(Load.BEST_EFFORT, Load.IDLE, PUBLISHED_BEST_EFFORT / PUBLISHED_IDLE);
    findings.add(
        Target.of(
            "three applications, round robin: best-effort / idle",
            Bound.AT_MOST,
            1 + TOLERANCE,
            ratio(
                shares(Queues.ROUND_ROBIN, NvmeExperiment.USUAL_INSIDE),
                Load.BEST_EFFORT,
                Load.IDLE),
            "for comparison: the drive does not tell them apart"));
    findings.add(
        Target.of(
            "3:2:1, all commands inside the drive: best-effort / idle",
            Bound.AT_MOST,
            1 + TOLERANCE,
            ratio(
                shares(Queues.WEIGHTS_3_2_1, Load.PUBLISHED.depth()), Load.BEST_EFFORT, Load.IDLE),
            NO_CHOICE));
    ReportTable table =
        new ReportTable(
            "Three applications with 256 reads under way each, K IOPS",
            List.of("queues", "inside the drive", "best-effort", "none", "idle"));
    table.row(List.of("published", "-", "210", "143", "75.8"));
    addRow(table, "round robin", Queues.ROUND_ROBIN, NvmeExperiment.USUAL_INSIDE);
    for (int inside : NvmeExperiment.INSIDE_OF_SHARES) {
      addRow(table, "weights 3:2:1", Queues.WEIGHTS_3_2_1, inside);
    }
    findings.add(table);
    addSharesFigure();
  }

  private void addPublished(String of, String by, double published) {
    Optional<Estimate> ratio =
        ratio(shares(Queues.WEIGHTS_3_2_1, NvmeExperiment.USUAL_INSIDE), of, by)
            .map(estimate -> estimate.times(1 / published));
    for (Bound bound : Bound.values()) {
      double required = bound == Bound.AT_LEAST ? 1 - TOLERANCE : 1 + TOLERANCE;
      String what = "3:2:1: " + of + " / " + by + ", of the published ratio";
      findings.add(Target.of(what, bound, required, ratio, SOURCE));
    }
  }

  private void addRow(ReportTable table, String label, Queues queues, int inside) {
    List<String> row = new ArrayList<>(List.of(label, Integer.toString(inside)));
    for (String each : CLASSES) {
      row.add(text(shares(queues, inside).estimate(iops(each), value -> value / 1e3)));
    }
    table.row(row);
  }

  private void addSharesFigure() {
    Figure figure =
        Figure.lines(
                "nvme-shares",
                "Weights 3:2:1, by how many commands are inside the drive",
                "commands inside the drive, of 768 under way",
                "K IOPS")
            .caption(
                "Three applications with 256 reads under way each. Weights share what waits"
                    + " outside of the drive; where all commands fit in, they do nothing.");
    for (String each : CLASSES) {
      Series.addPoints(
          figure,
          each,
          NvmeExperiment.INSIDE_OF_SHARES,
          NvmeExperiment.INSIDE_OF_SHARES.stream()
              .map(
                  inside ->
                      shares(Queues.WEIGHTS_3_2_1, inside)
                          .estimate(iops(each), value -> value / 1e3)));
    }
    Series.addIfDrawn(findings, figure);
  }

  // --- the foreground -----------------------------------------------------------------------

  private void addHeldBack() {
    ReportTable table =
        new ReportTable(
            "A foreground with 256 reads under way beside a background with as many",
            List.of("queues", "foreground K IOPS", "background K IOPS", "foreground / alone"));
    Results alone = of(Load.ALONE, Queues.ONE, NvmeExperiment.USUAL_INSIDE);
    addHeldBackRow(table, "alone", alone, alone);
    addHeldBackRow(table, "round robin", beside(Queues.ROUND_ROBIN), alone);
    addHeldBack(table, alone, Queues.WEIGHTS_16_8_1, 16);
    addHeldBack(table, alone, Queues.WEIGHTS_128_64_1, 128);
    findings.add(table);
    findings.add(
        Target.of(
            "foreground beside a background, round robin / alone",
            Bound.AT_MOST,
            0.5 * (1 + TOLERANCE),
            beside(Queues.ROUND_ROBIN).ratio(alone, iops(Load.FOREGROUND)),
            "for comparison: half"));
  }

  private Results beside(Queues queues) {
    return of(Load.BESIDE, queues, NvmeExperiment.USUAL_INSIDE);
  }

  private void addHeldBack(ReportTable table, Results alone, Queues queues, double weight) {
    Results beside = beside(queues);
    String weights = Numbers.text(weight) + ":1";
    addHeldBackRow(table, weights, beside, alone);
    double share = weight / (weight + 1);
    findings.add(
        Target.of(
            "foreground beside a background at " + weights + " / alone",
            Bound.AT_LEAST,
            share * 0.995,
            beside.ratio(alone, iops(Load.FOREGROUND)),
            WEIGHTS));
    findings.add(
        Target.of(
            "foreground / background at " + weights + ", of " + Numbers.text(weight),
            Bound.AT_LEAST,
            1 - TOLERANCE,
            ratio(beside, Load.FOREGROUND, Load.BACKGROUND).map(e -> e.times(1 / weight)),
            "HotStorage 2017: background held back " + weights));
    findings.add(
        Target.of(
            "background / foreground at " + weights + ", of 1/" + Numbers.text(weight),
            Bound.AT_LEAST,
            1 - TOLERANCE,
            ratio(beside, Load.BACKGROUND, Load.FOREGROUND).map(e -> e.times(weight)),
            "it is not starved"));
  }

  private static void addHeldBackRow(
      ReportTable table, String label, Results results, Results alone) {
    table.row(
        List.of(
            label,
            text(results.estimate(iops(Load.FOREGROUND), value -> value / 1e3)),
            text(results.estimate(iops(Load.BACKGROUND), value -> value / 1e3)),
            text(results.ratio(alone, iops(Load.FOREGROUND)))));
  }

  // --- Gets ---------------------------------------------------------------------------------

  private void addGets() {
    findings.add(
        Target.of(
            "Gets beside a compaction, 32 inside, p99: round robin / urgent",
            Bound.AT_LEAST,
            1.5,
            gain(GetSystem.ROUND_ROBIN, FEW_INSIDE),
            "commands wait outside"));
    findings.add(
        Target.of(
            "the same, 512 inside",
            Bound.AT_MOST,
            1 + TOLERANCE,
            gain(GetSystem.ROUND_ROBIN, MANY_INSIDE),
            NO_CHOICE));
    findings.add(
        Target.of(
            "the same, 512 inside: one queue a core / urgent",
            Bound.AT_MOST,
            1 + TOLERANCE,
            gain(GetSystem.ONE_QUEUE, MANY_INSIDE),
            NO_CHOICE));
    for (int inside : NvmeExperiment.INSIDE_BESIDE_GETS) {
      findings.add(
          Target.of(
              "urgent Gets, " + inside + " inside: p99, of the time for all that is inside",
              Bound.AT_LEAST,
              1 - TOLERANCE,
              p99Micros(GetSystem.URGENT, inside)
                  .map(e -> e.times(NvmeExperiment.RATE / inside / 1e6)),
              "a command that is taken waits for those before it"));
    }
    addGetsTable();
    Figure figure =
        Figure.lines(
                "nvme-gets",
                "Gets beside a compaction with 512 reads under way",
                "commands inside the drive",
                "p99 of Gets [us]")
            .logX()
            .logY()
            .caption(
                "Eight clients, 100 us between their reads. Urgent Gets go before all others that"
                    + " are outside of the drive, and wait for those inside.");
    for (GetSystem system : GetSystem.values()) {
      Series.addPoints(
          figure,
          system.label,
          NvmeExperiment.INSIDE_BESIDE_GETS,
          NvmeExperiment.INSIDE_BESIDE_GETS.stream().map(inside -> p99Micros(system, inside)));
    }
    Series.addIfDrawn(findings, figure);
  }

  private Optional<Estimate> gain(GetSystem than, int inside) {
    return gets(than, inside).ratio(gets(GetSystem.URGENT, inside), "/" + Load.GET + "/p99_us");
  }

  private void addGetsTable() {
    ReportTable table =
        new ReportTable(
            "Gets of eight clients beside a compaction with 512 reads under way",
            List.of(
                "inside the drive",
                "queues",
                "Gets p50 us",
                "Gets p99 us",
                "Gets K IOPS",
                "compaction K IOPS"));
    for (int inside : NvmeExperiment.INSIDE_BESIDE_GETS) {
      for (GetSystem system : GetSystem.values()) {
        Results cells = gets(system, inside);
        table.row(
            List.of(
                Integer.toString(inside),
                system.label,
                text(cells.estimate("/" + Load.GET + "/p50_us")),
                text(cells.estimate("/" + Load.GET + "/p99_us")),
                text(cells.estimate(iops(Load.GET), value -> value / 1e3)),
                text(cells.estimate(iops(Load.COMPACTION), value -> value / 1e3))));
      }
    }
    findings.add(table);
  }
}
