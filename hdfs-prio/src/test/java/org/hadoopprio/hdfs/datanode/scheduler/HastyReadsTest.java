// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HastyReadsTest {

  private final HastyReads reads = new HastyReads();

  /** When the last of so many may go, in milliseconds, if all come together. */
  private long lastOf(int count, long nowMillis) {
    long at = 0;
    for (int i = 0; i < count; i++) {
      at = reads.next(ms(nowMillis), Long.MAX_VALUE);
    }
    return at / ms(1);
  }

  @Test
  void tenASecondMayGoInTheirOrderHoweverManyCome() {
    lastOf(11, 0);
    assertEquals(100, lastOf(1, 0));
    assertEquals(10_000, lastOf(99, 0));
    assertEquals(10_100, lastOf(1, 5_000));
  }

  @Test
  void whatNobodyUsedIsKeptForASecond() {
    lastOf(50, 0);
    assertEquals(60_000, lastOf(11, 60_000));
    assertEquals(60_100, lastOf(1, 60_000));
  }

  @Test
  void whoWouldComeTooLateTakesNothing() {
    lastOf(21, 0);
    assertEquals(HastyReads.TOO_LATE, reads.next(0, ms(900)));
    assertEquals(1_100, lastOf(1, 0));
  }

  @Test
  void whoNeedsItsTimeNoMoreLetsOthersGoEarlier() {
    lastOf(21, 0);
    reads.giveBack();
    assertEquals(1_000, lastOf(1, 0));
  }
}
