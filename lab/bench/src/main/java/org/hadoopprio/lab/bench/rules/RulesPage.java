// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.rules;

import java.util.List;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Numbers;

/** docs/design/rules.md: a line for each rule. */
final class RulesPage {

  private final StringBuilder text = new StringBuilder();
  private String part = "";

  RulesPage(String command, int cells, int seeds, int figures) {
    text.append(
        String.format(
            """
      # What each rule of the scheduler is for

      Written by `%s` from `lab/bench/rules.yaml`. It takes one rule or constant away from the sources of
      the DataNode's scheduler, compiles what is left, and runs %d cells: the loads of `starvation`, `mixed`, `latency` and
      `ownwork` (`RuleCells` in the tests of `hdfs-prio/simulation`) in virtual time, 30 s each with %d seeds.

      *Its figure* is the one that the rule is there for; *without it*: with all rules → without this one, × the ratio,
      paired by seed, with its interval, which is so wide that a rule which does nothing moves one of its %d figures
      beyond it once in %d times. *Moves most* is the figure whose ratio is furthest from 1, of those beyond their
      intervals. **Nothing moves**: decisions change, but no figure leaves its interval; before such a rule goes, run
      `bin/hprio bench rules --rule NAME --seeds 32`, which sees changes of 2 %%. **Not reached**: no figure of any seed
      changes, because no cell comes to the rule; that does not make it useless. Less than 0.1 (%%, MB/s, ms) counts as
      0.1.

      The simulation has one spindle that never hangs, and neither threads, page cache, kernel, sockets, dirty pages nor
      other processes. A rule against what it lacks shows no effect here; those that only act outside of the scheduler's
      state machine are [listed at the end](#what-no-cell-shows).
      """,
            command, cells, seeds, figures, Math.round(1 / Ablation.BY_CHANCE)));
  }

  /** A line for a rule that the cells can show. */
  void add(Rule rule, Ablation.Absence absence) {
    begin(rule, "| rule | it is there for | its figure | without it | moves most without it |");
    Ablation.Effect own = absence.own();
    String most =
        absence
            .most()
            .map(effect -> effect.figure().equals(own.figure()) ? "the same" : text(effect))
            .orElse(absence.reached() ? "**nothing moves**" : "**not reached**");
    line(rule.name(), rule.purpose(), name(own.figure()), change(own), most + count(absence));
  }

  private static String count(Ablation.Absence absence) {
    return absence.moved() > 1 ? "; " + absence.moved() + " move" : "";
  }

  /** A line for a rule that no cell shows. */
  void add(Rule rule) {
    begin(rule, "| rule | it is there for | where |");
    line(rule.name(), rule.purpose(), "`" + rule.changes().get(0).file() + "`");
  }

  private void begin(Rule rule, String columns) {
    if (!rule.part().equals(part)) {
      part = rule.part();
      text.append("\n## ").append(part).append("\n\n").append(columns).append('\n');
      text.append(columns.replaceAll("[^|]+", "---")).append('\n');
    }
  }

  private void line(String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String name(Rule.Figure figure) {
    return figure.cell() + ": " + figure.name();
  }

  private static String text(Ablation.Effect effect) {
    return name(effect.figure()) + " " + change(effect);
  }

  private static String change(Ablation.Effect effect) {
    Estimate ratio = effect.logRatio();
    return String.format(
        "%s → %s, × %s (%s to %s)",
        Numbers.threeDigits(effect.with()),
        Numbers.threeDigits(effect.without()),
        exp(ratio.mean()),
        exp(ratio.low()),
        exp(ratio.high()));
  }

  private static String exp(double logarithm) {
    double value = Math.exp(logarithm);
    return value < 0.1 ? Numbers.text(value) : Numbers.fixed(value, value < 10 ? 2 : 0);
  }

  /** What was written so far. */
  @Override
  public String toString() {
    return text.toString();
  }

  /** The last line. */
  String last() {
    List<String> lines = text.toString().lines().toList();
    return lines.get(lines.size() - 1);
  }
}
