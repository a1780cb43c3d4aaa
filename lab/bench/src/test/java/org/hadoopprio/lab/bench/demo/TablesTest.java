// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.tools.TableListing;
import org.junit.jupiter.api.Test;

class TablesTest {

  @Test
  void numbersStandBelowEachOther() {
    TableListing table = Tables.of(1, "reads", "mean", "max");
    table.addRow("rt:0", "1.5", "20");
    table.addRow("none", "100.0", "3");
    assertEquals(
        """
        reads    mean  max
        rt:0      1.5   20
        none    100.0    3
        """,
        table.toString());
  }

  @Test
  void everyRowHasEveryColumn() {
    TableListing table = Tables.of(1, "a", "b");
    RuntimeException e = assertThrows(RuntimeException.class, () -> table.addRow("1"));
    assertTrue(e.getMessage().contains("1 columns"), e.getMessage());
  }
}
