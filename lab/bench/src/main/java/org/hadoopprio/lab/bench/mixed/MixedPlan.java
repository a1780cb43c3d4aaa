// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.EnumNames;

/** What is measured, how often, for how long and in which order. Immutable. */
public final class MixedPlan {

  static final String LOAD = "load";
  static final String BACKGROUND = "background";
  static final String SYSTEM = "system";

  /** The background of the targets. */
  static final Background MAIN = Background.STREAMS16;

  /** A cell's start and end: page cache, processes, ramp not included. */
  private static final double OVERHEAD_S = 9;

  /** Until a job's tasks read. */
  private static final double JOB_START_S = 25;

  /** Cluster and data. */
  private static final double PREPARATION_S = 240;

  /** Restart of the daemons, such as from stock to hadoop-prio. */
  private static final double SWITCH_S = 45;

  /** What is measured with {@link GetLoad#OPEN60}. */
  private static final Set<MixedSystem> OFTEN =
      Collections.unmodifiableSet(
          EnumSet.of(
              MixedSystem.HOST,
              MixedSystem.WITHIN_50MS,
              MixedSystem.WITHIN_100MS,
              MixedSystem.WITHIN_200MS,
              MixedSystem.LEVELS));

  private final Set<MixedSystem> systems;
  private final Set<Background> backgrounds;
  private final Set<GetLoad> loads;
  private final int repetitions;
  private final int seconds;
  private final int rampSeconds;

  private MixedPlan(
      Set<MixedSystem> systems,
      Set<Background> backgrounds,
      Set<GetLoad> loads,
      int repetitions,
      MixedScale scale) {
    this.systems = Collections.unmodifiableSet(EnumSet.copyOf(systems));
    this.backgrounds = Collections.unmodifiableSet(EnumSet.copyOf(backgrounds));
    this.loads = Collections.unmodifiableSet(EnumSet.copyOf(loads));
    this.repetitions = repetitions;
    this.seconds = scale.seconds();
    this.rampSeconds = scale.rampSeconds();
  }

  /**
   * The part of the whole plan that a choice of systems, backgrounds and loads selects.
   *
   * @param repetitions of the main cells; others are measured once
   * @param seconds how long a cell is measured after its ramp
   * @throws IllegalArgumentException if nothing is left
   */
  public static MixedPlan of(
      Set<MixedSystem> systems,
      Set<Background> backgrounds,
      Set<GetLoad> loads,
      int repetitions,
      int seconds) {
    return of(systems, backgrounds, loads, repetitions, MixedScale.full(seconds));
  }

  /** The same at another scale. */
  static MixedPlan of(
      Set<MixedSystem> systems,
      Set<Background> backgrounds,
      Set<GetLoad> loads,
      int repetitions,
      MixedScale scale) {
    if (backgrounds.contains(Background.NONE)) {
      throw new IllegalArgumentException(
          "no background is what system bound has; it cannot be chosen as a background");
    }
    MixedPlan plan = new MixedPlan(systems, backgrounds, loads, repetitions, scale);
    if (plan.cells().isEmpty()) {
      List<String> measured = new ArrayList<>();
      systems.forEach(system -> measured.add(whereMeasured(system)));
      throw new IllegalArgumentException("nothing to measure: " + String.join("; ", measured));
    }
    return plan;
  }

  /** With which loads and beside which backgrounds a system is measured, for people. */
  private static String whereMeasured(MixedSystem system) {
    Map<String, List<String>> loadsBeside = new LinkedHashMap<>();
    for (GetLoad load : GetLoad.values()) {
      Set<Background> beside = EnumSet.complementOf(EnumSet.of(Background.NONE));
      beside.removeIf(background -> !applies(load, background, system));
      if (!beside.isEmpty()) {
        loadsBeside
            .computeIfAbsent(texts(beside), b -> new ArrayList<>())
            .add(EnumNames.text(load));
      }
    }
    List<String> parts = new ArrayList<>();
    loadsBeside.forEach(
        (beside, with) -> parts.add("load " + String.join(", ", with) + " beside " + beside));
    return EnumNames.text(system) + " is measured with " + String.join(", and with ", parts);
  }

  Set<MixedSystem> systems() {
    return systems;
  }

  Set<Background> backgrounds() {
    return backgrounds;
  }

  /** All cells, those of one repetition next to each other. */
  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (GetLoad load : loads) {
        addBound(cells, load, repetition);
        for (Background background : backgrounds) {
          for (MixedSystem system : systems) {
            if (applies(load, background, system)
                && repetition <= repetitions(background, system)) {
              cells.add(cell(load, background, system, repetition));
            }
          }
        }
      }
    }
    return cells;
  }

  /** The bound has no background, so it is the same for all. */
  private void addBound(List<Cell> cells, GetLoad load, int repetition) {
    for (MixedSystem system : systems) {
      if (system.alone()
          && (load == GetLoad.OPEN || !system.local())
          && repetition <= repetitions(Background.NONE, system)) {
        cells.add(cell(load, Background.NONE, system, repetition));
      }
    }
  }

  /** Whether a combination adds information; all of them would take hours. */
  private static boolean applies(GetLoad load, Background background, MixedSystem system) {
    boolean main = background == MAIN;
    if (load == GetLoad.OPEN60) {
      return main && OFTEN.contains(system);
    }
    return switch (system) {
      case BOUND, BOUND_LOCAL, LEVELS -> false;
      case WITHIN_50MS, WITHIN_100MS, WITHIN_200MS, NO_GETS -> main;
      default -> true;
    };
  }

  private int repetitions(Background background, MixedSystem system) {
    boolean target = background == MAIN || background == Background.NONE;
    boolean once = !target || system == MixedSystem.THROTTLE;
    return once ? 1 : repetitions;
  }

  private Cell cell(GetLoad load, Background background, MixedSystem system, int repetition) {
    Map<String, String> factors = new LinkedHashMap<>();
    factors.put(LOAD, EnumNames.text(load));
    factors.put(BACKGROUND, EnumNames.text(background));
    factors.put(SYSTEM, EnumNames.text(system));
    double expected = rampSeconds + seconds + OVERHEAD_S + (background.isJob() ? JOB_START_S : 0);
    return new Cell(factors, repetition, expected);
  }

  static GetLoad load(Cell cell) {
    return EnumNames.of(GetLoad.class, cell.factor(LOAD));
  }

  static Background background(Cell cell) {
    return EnumNames.of(Background.class, cell.factor(BACKGROUND));
  }

  static MixedSystem system(Cell cell) {
    return EnumNames.of(MixedSystem.class, cell.factor(SYSTEM));
  }

  /**
   * An order with few switches of the daemons: repetition by repetition, cells of one deployment
   * stand together. The deployments' order and that of the cells in each are random.
   */
  static List<Cell> order(List<Cell> cells, long seed) {
    Map<Integer, Map<Deployment, List<Cell>>> groups = new TreeMap<>();
    for (Cell cell : cells) {
      groups
          .computeIfAbsent(cell.repetition(), r -> new LinkedHashMap<>())
          .computeIfAbsent(Deployment.of(cell), d -> new ArrayList<>())
          .add(cell);
    }
    List<Cell> order = new ArrayList<>();
    groups.forEach(
        (repetition, byDeployment) -> {
          Random random = new Random(seed + repetition);
          List<List<Cell>> blocks = new ArrayList<>(byDeployment.values());
          Collections.shuffle(blocks, random);
          for (List<Cell> block : blocks) {
            Collections.shuffle(block, random);
            order.addAll(block);
          }
        });
    return order;
  }

  /** How many times daemons are restarted in an order. */
  static int switches(List<Cell> order) {
    int switches = 0;
    for (int i = 1; i < order.size(); i++) {
      if (Deployment.of(order.get(i)).needsRestartAfter(Deployment.of(order.get(i - 1)))) {
        switches++;
      }
    }
    return switches;
  }

  /** What is planned and how long it takes, for people. */
  public String describe() {
    List<Cell> cells = cells();
    int switches = switches(order(cells, 0)) + 1;
    double seconds =
        cells.stream().mapToDouble(Cell::expectedSeconds).sum()
            + PREPARATION_S
            + switches * SWITCH_S;
    return String.format(
        Locale.ROOT,
        "%d cells (Gets %s; background %s; systems %s), about %.0f minutes with cluster and data",
        cells.size(),
        texts(loads),
        texts(backgrounds),
        texts(systems),
        Math.ceil(seconds / 60));
  }

  private static String texts(Set<? extends Enum<?>> values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(EnumNames.text(value)));
    return String.join(", ", texts);
  }
}
