package org.hadoopprio.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void numbersStandBelowEachOther() {
    assertEquals(
        "reads   mean  max\n" + "rt:0     1.5   20\n" + "none   100.0    3\n",
        new TextTable(1, "reads", "mean", "max")
            .row("rt:0", "1.5", "20")
            .row("none", "100.0", "3")
            .toString());
  }

  @Test
  void everyRowHasEveryColumn() {
    assertThrows(IllegalArgumentException.class, () -> new TextTable(1, "a", "b").row("1"));
  }
}
