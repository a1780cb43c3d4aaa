// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.hadoopprio.lab.progress.StepProgress;

/** Shows which cell is being measured and how much time is left. For one thread. */
final class CellProgress implements StepLog {

  /** The weight of the estimates, as a number of measured seconds. */
  private static final double TRUST_S = 60;

  private final StepProgress display;
  private final Deque<Cell> left;
  private double expected;
  private double taken;

  CellProgress(StepProgress display, List<Cell> cells) {
    this.display = display;
    this.left = new ArrayDeque<>(cells);
  }

  void beginPreparation() {
    display.begin("preparation");
  }

  void endPreparation() {
    display.done("ready, " + left.size() + " cells to measure, " + timeLeft());
  }

  void begin(Cell cell) {
    display.begin(cell.id());
  }

  void end(Cell cell, double seconds) {
    left.remove(cell);
    expected += cell.expectedSeconds();
    taken += seconds;
    display.done("measured, " + (left.isEmpty() ? "the last one" : timeLeft()));
  }

  /** How long the remaining cells will take at the pace of those already measured. */
  private String timeLeft() {
    double pace = (taken + TRUST_S) / (expected + TRUST_S);
    double seconds = left.stream().mapToDouble(Cell::expectedSeconds).sum() * pace;
    return "about " + StepProgress.seconds(seconds) + " left for all";
  }

  @Override
  public void say(String message) {
    display.say(message);
  }

  @Override
  public void at(double fraction, String detail) {
    display.at(fraction, detail);
  }
}
