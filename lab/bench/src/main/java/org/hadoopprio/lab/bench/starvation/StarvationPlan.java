package org.hadoopprio.lab.bench.starvation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.bench.experiment.Cell;

/** What is measured, and for how long. Immutable. */
public final class StarvationPlan {

  static final String LOAD = "load";
  static final String SYSTEM = "system";

  static final List<RealtimeLoad> CLOSED =
      List.of(
          RealtimeLoad.closed(1),
          RealtimeLoad.closed(2),
          RealtimeLoad.closed(4),
          RealtimeLoad.closed(16));

  /** Between them lie the shares that can meet both targets. */
  private static final double[] OTHER_SHARES = {0.4, 0.6};

  private final double defaultShare;
  private final boolean quick;
  private final int repetitions;

  /**
   * A plan.
   *
   * @param defaultShare the DataNode's own
   * @param quick a short run that leaves out what no target needs
   */
  public StarvationPlan(double defaultShare, boolean quick, int repetitions) {
    this.defaultShare = defaultShare;
    this.quick = quick;
    this.repetitions = repetitions;
  }

  /** How long a cell is measured. */
  int seconds() {
    return quick ? 10 : 22;
  }

  /** What makes results comparable. */
  Map<String, String> settings() {
    return Map.of("seconds", Integer.toString(seconds()));
  }

  ReaderSystem defaultSystem() {
    return ReaderSystem.share(defaultShare);
  }

  List<RealtimeLoad> open() {
    // No target needs them.
    List<Integer> percents = quick ? List.of() : List.of(25, 50, 75, 100);
    List<RealtimeLoad> loads = new ArrayList<>();
    percents.forEach(percent -> loads.add(RealtimeLoad.open(percent)));
    return loads;
  }

  /** The systems measured under closed loops. */
  List<ReaderSystem> closedSystems() {
    List<ReaderSystem> systems = new ArrayList<>(mainSystems());
    if (!quick) {
      systems.add(ReaderSystem.demote(defaultShare));
      for (double share : OTHER_SHARES) {
        if (share != defaultShare) {
          systems.add(ReaderSystem.share(share));
        }
      }
      systems.add(ReaderSystem.schedulerAging(Duration.ofSeconds(1)));
      systems.add(ReaderSystem.driveAging(Duration.ofMillis(300)));
    }
    return systems;
  }

  /** The systems measured under open loops. */
  List<ReaderSystem> openSystems() {
    return mainSystems();
  }

  private List<ReaderSystem> mainSystems() {
    return List.of(
        ReaderSystem.bound(), ReaderSystem.stock(), ReaderSystem.strict(), defaultSystem());
  }

  /** All systems, each once. */
  List<ReaderSystem> systems() {
    return closedSystems();
  }

  /**
   * The system of a cell.
   *
   * @throws IllegalArgumentException if it is none of this plan
   */
  ReaderSystem system(Cell cell) {
    String name = cell.factor(SYSTEM);
    return systems().stream()
        .filter(system -> system.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no system " + name));
  }

  static RealtimeLoad load(Cell cell) {
    return RealtimeLoad.parse(cell.factor(LOAD));
  }

  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      // With no real-time reads, all systems are the same.
      cells.add(cell(RealtimeLoad.NONE, ReaderSystem.stock(), repetition));
      for (RealtimeLoad load : CLOSED) {
        for (ReaderSystem system : closedSystems()) {
          cells.add(cell(load, system, repetition));
        }
      }
      for (RealtimeLoad load : open()) {
        for (ReaderSystem system : openSystems()) {
          cells.add(cell(load, system, repetition));
        }
      }
    }
    return cells;
  }

  private Cell cell(RealtimeLoad load, ReaderSystem system, int repetition) {
    Map<String, String> factors = new LinkedHashMap<>();
    factors.put(LOAD, load.toString());
    factors.put(SYSTEM, system.name());
    return new Cell(factors, repetition, StarvationBed.EXTRA_SECONDS + seconds());
  }
}
