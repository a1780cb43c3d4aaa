// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReadsPerOperationTest {

  private final ReadsPerOperation average = new ReadsPerOperation();

  @Test
  void aFirstOperationIsExpectedToReadOnce() {
    assertEquals(1, average.predict(1));
    assertEquals(20, average.predict(20));
  }

  @Test
  void oneReadEachIsNotTakenForTwo() {
    average.add(1, 1);
    assertEquals(1, average.predict(1));
    assertEquals(26, average.predict(20), "a third more");
  }

  @Test
  void itFollowsWhatIsSeen() {
    average.add(3, 1);
    assertEquals(4, average.predict(1));
    for (int i = 0; i < 40; i++) {
      average.add(0, 1);
    }
    assertEquals(0, average.predict(10), "everything is cached");
    for (int i = 0; i < 40; i++) {
      average.add(40, 20);
    }
    assertEquals(53, average.predict(20));
  }
}
