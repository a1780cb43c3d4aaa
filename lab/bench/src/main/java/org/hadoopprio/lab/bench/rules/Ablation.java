// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.rules;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Estimate;

/** The figures of all cells with all rules, and what becomes of them without one. */
final class Ablation {

  /** That any figure of a rule is outside of its interval by chance. */
  static final double BY_CHANCE = 0.05;

  private static final int ENOUGH_TO_BE_THE_SAME = 2;

  private final Map<String, String> sources;
  private final int seeds;

  /** Of each cell, by seed. */
  private final Map<String, List<Map<String, Double>>> with;

  /** What a figure is without a rule, divided by what it is with all; by pairs of the same seed. */
  record Effect(Rule.Figure figure, double with, double without, Estimate logRatio) {

    boolean isMove() {
      return logRatio.low() > 0 || logRatio.high() < 0;
    }
  }

  /**
   * What the absence of a rule does.
   *
   * @param own on the figure that the rule is there for
   * @param most on the one that moves furthest; empty if none does
   * @param moved how many figures move
   * @param reached whether any figure of any seed is another one
   */
  record Absence(Effect own, Optional<Effect> most, long moved, boolean reached) {}

  /** Runs all cells with all rules, so many seeds each. */
  Ablation(Map<String, String> sources, int seeds) throws IOException {
    this(sources, seeds, List.of());
  }

  /** The same of some cells; of all if none is named. */
  Ablation(Map<String, String> sources, int seeds, List<String> names) throws IOException {
    this.sources = sources;
    this.seeds = seeds;
    this.with = new LinkedHashMap<>();
    try (CompiledScheduler scheduler = new CompiledScheduler(sources)) {
      Map<String, LongFunction<Map<String, Double>>> cells = scheduler.cells();
      if (!names.isEmpty()) {
        cells.keySet().retainAll(names);
      }
      cells.keySet().forEach(cell -> with.put(cell, new ArrayList<>()));
      cells.entrySet().parallelStream()
          .forEach(
              cell -> {
                for (int seed = 1; seed <= seeds; seed++) {
                  with.get(cell.getKey()).add(cell.getValue().apply(seed));
                }
              });
    }
  }

  /** Whether the cells have a figure. */
  boolean has(Rule.Figure figure) {
    return with.containsKey(figure.cell())
        && with.get(figure.cell()).get(0).containsKey(figure.name());
  }

  int cells() {
    return with.size();
  }

  int figures() {
    return with.values().stream().mapToInt(bySeed -> bySeed.get(0).size()).sum();
  }

  /** Runs the cells without a rule. */
  Absence without(Rule rule) throws IOException {
    Map<String, List<Map<String, Double>>> without = new ConcurrentHashMap<>();
    try (CompiledScheduler scheduler = new CompiledScheduler(rule.without(sources))) {
      Map<String, LongFunction<Map<String, Double>>> cells = scheduler.cells();
      with.keySet().parallelStream()
          .forEach(name -> without.put(name, run(cells.get(name), with.get(name))));
    }
    List<Effect> effects = new ArrayList<>();
    without.forEach((cell, figures) -> addEffects(cell, figures, effects));
    Effect own =
        effects.stream()
            .filter(effect -> effect.figure.equals(rule.figure()))
            .findAny()
            .orElseThrow();
    List<Effect> moves = effects.stream().filter(Effect::isMove).collect(Collectors.toList());
    return new Absence(
        own,
        moves.stream().max(Comparator.comparingDouble(each -> Math.abs(each.logRatio.mean()))),
        moves.size(),
        without.entrySet().stream().anyMatch(e -> !e.getValue().equals(with.get(e.getKey()))));
  }

  /**
   * If the first seeds have the same figures without the rule, all have: no decision was another.
   */
  private static List<Map<String, Double>> run(
      LongFunction<Map<String, Double>> cell, List<Map<String, Double>> with) {
    List<Map<String, Double>> figures = new ArrayList<>();
    for (int seed = 1; seed <= with.size(); seed++) {
      if (seed > ENOUGH_TO_BE_THE_SAME && figures.equals(with.subList(0, seed - 1))) {
        return with;
      }
      figures.add(cell.apply(seed));
    }
    return figures;
  }

  private void addEffects(String cell, List<Map<String, Double>> without, List<Effect> effects) {
    double confidence = 1 - BY_CHANCE / figures();
    for (String figure : with.get(cell).get(0).keySet()) {
      List<Double> before = values(with.get(cell), figure);
      List<Double> after = values(without, figure);
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < seeds; i++) {
        ratios.add(Math.log(after.get(i) / before.get(i)));
      }
      effects.add(
          new Effect(
              new Rule.Figure(cell, figure),
              Estimate.of(before).mean(),
              Estimate.of(after).mean(),
              Estimate.of(ratios, confidence)));
    }
  }

  private static List<Double> values(List<Map<String, Double>> bySeed, String figure) {
    return bySeed.stream().map(figures -> figures.get(figure)).collect(Collectors.toList());
  }
}
