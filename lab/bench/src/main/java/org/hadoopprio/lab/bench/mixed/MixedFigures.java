// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Series;
import org.hadoopprio.lab.bench.experiment.report.Figure;

/** The experiment's figures, of whatever was measured. */
final class MixedFigures {

  private static final double BYTES_PER_MB = 1e6;
  private static final String OPEN_LOOP =
      "Open loop: Gets arrive at random times, at about a fifth of the rate that the disk can serve;"
          + " latency counts from the arrival. Each Get reads the disk.";
  private static final String INTERVALS =
      " Error bars: 95 % confidence interval over repeated runs, where there are several.";

  private final MixedResults results;
  private final List<Figure> figures = new ArrayList<>();

  private MixedFigures(MixedResults results) {
    this.results = results;
  }

  static List<Figure> of(MixedResults results) {
    MixedFigures figures = new MixedFigures(results);
    figures.addUsual();
    figures.addOpenBackgrounds();
    figures.addOthers();
    return figures.figures;
  }

  /** The systems with Gets beside the background. */
  private List<MixedSystem> systems(Background background) {
    return EnumSet.allOf(MixedSystem.class).stream()
        .filter(MixedSystem::hasGets)
        .filter(s -> results.estimate(GetLoad.OPEN, background, s, MixedTargets.MEAN).isPresent())
        .collect(Collectors.toList());
  }

  private static List<String> labels(List<MixedSystem> systems) {
    return systems.stream().map(MixedSystem::shortLabel).collect(Collectors.toList());
  }

  /** The systems that are measured by default, beside the main background. */
  private void addUsual() {
    List<MixedSystem> systems = systems(MixedPlan.MAIN);
    systems.retainAll(MixedSystem.byDefault());
    if (!systems.equals(List.of(MixedSystem.BOUND))) {
      addOpen(
          MixedPlan.MAIN,
          systems,
          "mixed-open",
          "HBase Gets beside 16 sequential HDFS readers on one hard disk",
          "What the 16 sequential readers get beside the Gets");
    }
  }

  /** The other systems, beside each background, with hadoop-prio for comparison. */
  private void addOthers() {
    for (Background background : results.backgrounds(GetLoad.OPEN)) {
      List<MixedSystem> systems = systems(background);
      if (MixedSystem.byDefault().containsAll(systems)) {
        continue;
      }
      systems.removeIf(
          s ->
              MixedSystem.byDefault().contains(s)
                  && s != MixedSystem.HOST
                  && s != MixedSystem.FULL);
      addOpen(
          background,
          systems,
          "mixed-open-others-" + EnumNames.text(background),
          "What else users may pick: HBase Gets beside " + background.label(),
          "What else users may pick: " + background.label() + " beside HBase Gets");
    }
  }

  private void addOpen(
      Background background,
      List<MixedSystem> systems,
      String id,
      String title,
      String backgroundTitle) {
    List<MixedSystem> working =
        systems.stream().filter(s -> !s.alone()).collect(Collectors.toList());
    if (working.isEmpty()) {
      return;
    }
    Figure latency =
        Figure.bars(id + "-latency", title, "", "latency of Gets, ms", labels(systems))
            .logY()
            .caption(OPEN_LOOP + INTERVALS);
    bars(latency, "95th percentile", background, systems, MixedTargets.P95, 1);
    bars(latency, "mean", background, systems, MixedTargets.MEAN, 1);
    figures.add(latency);

    Figure throughput =
        Figure.bars(id + "-background", backgroundTitle, "", "background, MB/s", labels(working))
            .caption("The same runs as above." + INTERVALS);
    bars(
        throughput, background.label(), background, working, MixedTargets.BACKGROUND, BYTES_PER_MB);
    figures.add(throughput);
  }

  private void bars(
      Figure figure,
      String name,
      Background background,
      List<MixedSystem> systems,
      String path,
      double unit) {
    Series.addBars(figure, name, systems.stream().map(s -> in(background, s, path, unit)));
  }

  /** A figure in a unit. */
  private Optional<Estimate> in(
      Background background, MixedSystem system, String path, double unit) {
    return results.estimate(GetLoad.OPEN, background, system, path).map(e -> e.times(1 / unit));
  }

  /**
   * The open loop beside all backgrounds, for the systems that all of them were measured with. The
   * others would be more than there are colours.
   */
  private void addOpenBackgrounds() {
    List<Background> backgrounds = new ArrayList<>(results.backgrounds(GetLoad.OPEN));
    backgrounds.remove(Background.NONE);
    if (backgrounds.size() < 2) {
      return;
    }
    List<MixedSystem> systems = new ArrayList<>(MixedSystem.byDefault());
    for (Background background : backgrounds) {
      systems.retainAll(systems(background));
    }
    if (systems.isEmpty()) {
      return;
    }
    Figure figure =
        Figure.bars(
                "mixed-open-backgrounds",
                "HBase Gets beside several kinds of background: 95th percentile",
                "",
                "p95 of Gets, ms",
                backgrounds.stream().map(Background::label).collect(Collectors.toList()))
            .logY()
            .caption(OPEN_LOOP + INTERVALS);
    for (MixedSystem system : systems) {
      Series.addBars(
          figure,
          system.shortLabel(),
          backgrounds.stream().map(b -> in(b, system, MixedTargets.P95, 1)));
    }
    figures.add(figure);
  }
}
