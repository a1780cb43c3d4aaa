// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

class RuleCellsTest {

  @Test
  void aSeedHasTheSameFiguresEachTimeAndAnotherSeedOthers() {
    LongFunction<Map<String, Double>> cell = new RuleCells().get().get("60/s of four targets");
    Map<String, Double> figures = cell.apply(1);
    assertEquals(figures, cell.apply(1));
    assertNotEquals(figures, cell.apply(2));
    assertTrue(
        figures.values().stream().allMatch(value -> value > 0 && value < 1e5), () -> "" + figures);
  }
}
