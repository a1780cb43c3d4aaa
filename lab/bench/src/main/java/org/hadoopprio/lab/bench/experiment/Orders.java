// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Orders in which cells are measured. */
public final class Orders {

  private Orders() {}

  /**
   * One repetition after the other, each shuffled, so that a slow drift of the machine affects all
   * combinations alike.
   */
  public static List<Cell> shuffledByRepetition(List<Cell> cells, long seed) {
    Map<Integer, List<Cell>> byRepetition = new TreeMap<>();
    cells.forEach(
        cell -> byRepetition.computeIfAbsent(cell.repetition(), r -> new ArrayList<>()).add(cell));
    List<Cell> order = new ArrayList<>();
    byRepetition.forEach(
        (repetition, group) -> {
          Collections.shuffle(group, new Random(seed + repetition));
          order.addAll(group);
        });
    return order;
  }
}
