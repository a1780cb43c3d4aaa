// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.experiment.Cell;

/**
 * What is measured, and for how long.
 *
 * @param quick a short run that leaves out what no target needs, and some targets
 */
public record StarvationPlan(Set<StarvationPart> parts, boolean quick, int repetitions) {
  /** The threads of readers that have targets. */
  static final List<Integer> THREADS = List.of(1, 2, 4, 16, 48, 64, 96, 112, 128);

  static final List<ClientLoad.Kind> KINDS =
      List.of(ClientLoad.Kind.RANDOM, ClientLoad.Kind.SEQUENTIAL);

  /** The systems that are measured under each load. */
  static final List<ReaderSystem> SYSTEMS =
      List.of(ReaderSystem.BOUND, ReaderSystem.STOCK, ReaderSystem.TURNS);

  static final List<String> SCHEDULERS = List.of(Measurement.MQ_DEADLINE, "bfq", "none");

  /** One reader at a priority that background work has, and at real-time. */
  static final List<ReaderSystem> SHORT_SYSTEMS =
      List.of(
          ReaderSystem.at("idle", SchedulerMode.TURNS),
          ReaderSystem.at("be:7", SchedulerMode.TURNS),
          ReaderSystem.at(ReaderSystem.REALTIME, SchedulerMode.TURNS),
          ReaderSystem.at("idle", SchedulerMode.ORDER),
          ReaderSystem.at("be:7", SchedulerMode.ORDER));

  private static final List<Integer> QUICK_THREADS = List.of(1, 16, 64, 112);

  public StarvationPlan {
    parts = Collections.unmodifiableSet(EnumSet.copyOf(parts));
  }

  boolean has(StarvationPart part) {
    return parts.contains(part);
  }

  /** How long most cells are measured. */
  int seconds() {
    return quick ? 7 : 22;
  }

  /** How long a combination is measured. */
  int seconds(Measurement measurement) {
    BackgroundStreams background = measurement.background();
    return BackgroundStreams.levels().contains(background)
            || BackgroundStreams.writers().contains(background)
        ? levelSeconds()
        : seconds();
  }

  /** Long enough for a group at 5 % of the disk's time to get more than a few turns. */
  private int levelSeconds() {
    return quick ? 30 : 60;
  }

  /** What makes results comparable. */
  Map<String, String> settings() {
    return Map.of(
        "seconds", Integer.toString(seconds()),
        "level-seconds", Integer.toString(levelSeconds()));
  }

  /** The loads of a kind that are measured. */
  List<ClientLoad> loads(ClientLoad.Kind kind) {
    return loads(kind, quick ? QUICK_THREADS : THREADS);
  }

  /** All loads that have targets. */
  static List<ClientLoad> all() {
    List<ClientLoad> all = new ArrayList<>();
    KINDS.forEach(kind -> all.addAll(loads(kind, THREADS)));
    return all;
  }

  private static List<ClientLoad> loads(ClientLoad.Kind kind, List<Integer> amounts) {
    return amounts.stream().map(amount -> ClientLoad.of(kind, amount)).collect(Collectors.toList());
  }

  /** All combinations, each once. */
  List<Measurement> measurements() {
    List<Measurement> all = new ArrayList<>();
    if (has(StarvationPart.READERS)) {
      KINDS.forEach(kind -> addReaders(all, kind));
    }
    if (has(StarvationPart.STREAMS)) {
      for (BackgroundStreams streams :
          List.of(BackgroundStreams.STREAMS16, BackgroundStreams.STREAM1)) {
        for (ReaderSystem system : List.of(ReaderSystem.STOCK, ReaderSystem.TURNS)) {
          all.add(Measurement.streams(streams, system));
        }
      }
    }
    if (has(StarvationPart.LEVELS)) {
      for (BackgroundStreams groups : BackgroundStreams.levels()) {
        for (String scheduler : quick ? List.of(Measurement.MQ_DEADLINE) : SCHEDULERS) {
          all.add(Measurement.levels(groups, scheduler, ReaderSystem.TURNS));
        }
      }
    }
    if (has(StarvationPart.SHORT)) {
      for (ReaderSystem system : SHORT_SYSTEMS) {
        all.add(shortReads(system));
      }
    }
    if (has(StarvationPart.WRITERS)) {
      all.add(Measurement.writers(BackgroundStreams.NONE, ReaderSystem.BOUND));
      all.add(Measurement.writers(BackgroundStreams.WRITERS4, ReaderSystem.STOCK));
      for (BackgroundStreams writers : BackgroundStreams.writers()) {
        all.add(Measurement.writers(writers, ReaderSystem.TURNS));
      }
    }
    // A reader alone, and one beside 16 streams, belong to more than one part.
    Set<String> names = new HashSet<>();
    all.removeIf(measurement -> !names.add(measurement.toString()));
    return all;
  }

  /** A single reader beside 16 streams. */
  static Measurement shortReads(ReaderSystem system) {
    return Measurement.realtime(ClientLoad.of(ClientLoad.Kind.RANDOM, 1), system);
  }

  private void addReaders(List<Measurement> all, ClientLoad.Kind kind) {
    for (ClientLoad load : loads(kind)) {
      for (ReaderSystem system : SYSTEMS) {
        all.add(Measurement.realtime(load, system));
      }
    }
  }

  /**
   * The combination that a cell measures.
   *
   * @throws IllegalArgumentException if it is none of this plan
   */
  Measurement of(Cell cell) {
    return measurements().stream()
        .filter(measurement -> measurement.factors().equals(cell.factors()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not planned: " + cell));
  }

  List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int repetition = 1; repetition <= repetitions; repetition++) {
      for (Measurement measurement : measurements()) {
        double expected = StarvationBed.EXTRA_SECONDS + seconds(measurement);
        cells.add(new Cell(measurement.factors(), repetition, expected));
      }
    }
    return cells;
  }
}
