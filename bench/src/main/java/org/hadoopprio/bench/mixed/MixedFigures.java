package org.hadoopprio.bench.mixed;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.bench.experiment.Estimate;
import org.hadoopprio.bench.experiment.report.Figure;

/** The experiment's figures, of whatever was measured. */
final class MixedFigures {

  private static final double BYTES_PER_MB = 1e6;
  private static final String OPEN_LOOP =
      "Open loop: Gets arrive at random times, about a fifth of what the disk can do; the time from"
          + " the arrival counts. Each Get reads the disk.";
  private static final String INTERVALS =
      " Error bars: 95 % confidence interval over repeated runs, where there are several.";

  private final MixedResults results;
  private final List<Figure> figures = new ArrayList<>();

  private MixedFigures(MixedResults results) {
    this.results = results;
  }

  static List<Figure> of(MixedResults results) {
    MixedFigures figures = new MixedFigures(results);
    figures.addOpen();
    figures.addOpenBackgrounds();
    for (Background background : EnumSet.complementOf(EnumSet.of(Background.NONE))) {
      figures.addClosed(background);
    }
    return figures.figures;
  }

  /** Points of one series. */
  private static final class Points {

    private final List<Double> x = new ArrayList<>();
    private final List<Double> y = new ArrayList<>();
    private final List<Double> error = new ArrayList<>();

    void add(double xValue, Estimate estimate, double unit) {
      x.add(xValue);
      y.add(estimate.mean() / unit);
      error.add(estimate.halfWidth() / unit);
    }
  }

  /** The systems with a result for the load and the background. */
  private List<MixedSystem> systems(GetLoad load, Background background) {
    return EnumSet.allOf(MixedSystem.class).stream()
        .filter(s -> results.estimate(load, background, s, MixedTargets.MEAN).isPresent())
        .collect(Collectors.toList());
  }

  private static List<String> labels(List<MixedSystem> systems) {
    return systems.stream().map(MixedSystem::shortLabel).collect(Collectors.toList());
  }

  private void addOpen() {
    List<MixedSystem> systems = systems(GetLoad.OPEN, MixedPlan.MAIN);
    List<MixedSystem> working =
        systems.stream().filter(s -> s != MixedSystem.BOUND).collect(Collectors.toList());
    if (working.isEmpty()) {
      return;
    }
    Figure latency =
        Figure.bars(
                "mixed-open-latency",
                "HBase Gets beside 16 sequential HDFS readers on one hard disk",
                "",
                "latency of Gets, ms",
                labels(systems))
            .logY()
            .caption(OPEN_LOOP + INTERVALS);
    bars(latency, "95th percentile", systems, MixedTargets.P95, 1);
    bars(latency, "mean", systems, MixedTargets.MEAN, 1);
    figures.add(latency);

    Figure background =
        Figure.bars(
                "mixed-open-background",
                "What the 16 sequential readers get beside the Gets",
                "",
                "background, MB/s",
                labels(working))
            .caption("The same runs as above." + INTERVALS);
    bars(background, "16 streams", working, MixedTargets.BACKGROUND, BYTES_PER_MB);
    figures.add(background);
  }

  private void bars(
      Figure figure, String name, List<MixedSystem> systems, String path, double unit) {
    Points points = new Points();
    for (MixedSystem system : systems) {
      points.add(
          0, results.estimate(GetLoad.OPEN, MixedPlan.MAIN, system, path).orElseThrow(), unit);
    }
    figure.series(name, points.y, points.error);
  }

  /** The open loop beside all backgrounds, for the systems that all of them were measured with. */
  private void addOpenBackgrounds() {
    List<Background> backgrounds = new ArrayList<>(results.backgrounds(GetLoad.OPEN));
    backgrounds.remove(Background.NONE);
    if (backgrounds.size() < 2) {
      return;
    }
    List<MixedSystem> systems = new ArrayList<>(EnumSet.allOf(MixedSystem.class));
    for (Background background : backgrounds) {
      systems.retainAll(systems(GetLoad.OPEN, background));
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
      Points points = new Points();
      for (Background background : backgrounds) {
        points.add(
            0,
            results.estimate(GetLoad.OPEN, background, system, MixedTargets.P95).orElseThrow(),
            1);
      }
      figure.series(system.shortLabel(), points.y, points.error);
    }
    figures.add(figure);
  }

  private void addClosed(Background background) {
    boolean measured =
        results.loads().stream()
            .filter(load -> !load.isOpen())
            .anyMatch(load -> results.backgrounds(load).contains(background));
    if (!measured) {
      return;
    }
    String id = "mixed-closed-" + MixedPlan.text(background);
    String beside = " beside " + background.label();
    addLines(id + "-p95", "Gets" + beside, "p95 of Gets, ms", background, MixedTargets.P95, 1);
    addLines(id + "-mean", "Gets" + beside, "mean of Gets, ms", background, MixedTargets.MEAN, 1);
    addLines(
        id + "-background",
        background.label() + " beside Gets",
        "background, MB/s",
        background,
        MixedTargets.BACKGROUND,
        BYTES_PER_MB);
  }

  private void addLines(
      String id, String title, String yLabel, Background background, String path, double unit) {
    boolean latency = unit == 1;
    Figure figure =
        Figure.lines(id, title + ", closed loop", "threads that read", yLabel)
            .logX()
            .caption("Each thread begins its next Get when its last has ended." + INTERVALS);
    if (latency) {
      figure.logY();
    }
    boolean any = false;
    for (MixedSystem system : MixedSystem.values()) {
      Points points = new Points();
      for (GetLoad load : GetLoad.values()) {
        if (!load.isOpen() && (latency || system != MixedSystem.BOUND)) {
          Optional<Estimate> estimate = results.estimate(load, background, system, path);
          estimate.ifPresent(e -> points.add(load.threads(), e, unit));
        }
      }
      if (!points.x.isEmpty()) {
        figure.series(system.shortLabel(), points.x, points.y, points.error);
        any = true;
      }
    }
    if (any) {
      figures.add(figure);
    }
  }
}
