// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * An experiment: a list of cells, the way to measure one, and what follows from all of them.
 *
 * <p>{@link #prepare} is called only when cells are left to measure, {@link #evaluate} also for
 * results that were read back from files, so it must not depend on what {@code prepare} made.
 * Called by one thread; {@link #close} also by the one that handles Ctrl-C.
 */
public interface Experiment extends Closeable {

  /** The command's name, such as {@code mixed}. */
  String name();

  /** What it shows, in one line. */
  String title();

  /**
   * Everything that results must have in common to be comparable: sizes, durations, presets. A
   * directory of results can be resumed only with equal settings.
   */
  Map<String, String> settings();

  /** Where a setting comes from, for people, such as {@code (a.yaml:3)}; empty if that is clear. */
  default String place(String setting) {
    return "";
  }

  /** All cells, those of one repetition next to each other. */
  List<Cell> plan();

  /**
   * The order to measure the remaining cells in; by default each repetition's cells are shuffled.
   * An experiment in which some changes are costly groups the cells that share them.
   *
   * @param cells cells of {@link #plan} not measured yet, in the plan's order
   * @param seed of the random order, the same when a run is resumed
   */
  default List<Cell> order(List<Cell> cells, long seed) {
    return Orders.shuffledByRepetition(cells, seed);
  }

  /** Sets up what the cells have in common: disk, cluster, data. */
  void prepare(StepLog log) throws IOException;

  /**
   * Measures one cell.
   *
   * @return what was measured; field {@code commands} (an array of strings), if there, holds the
   *     exact commands, and field {@code gate} the validity gate of a virtual disk; where its
   *     {@code valid} is false the cell is measured again
   */
  ObjectNode run(Cell cell, StepLog log) throws IOException;

  /**
   * Derives tables, figures and targets.
   *
   * @param results of all cells that have been measured, in the plan's order
   */
  Findings evaluate(List<CellResult> results);

  /** Removes what {@link #prepare} made; a second call does nothing. */
  @Override
  void close() throws IOException;
}
