// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class HastyReadsTest {

  private final HastyReads reads = new HastyReads();

  private int taken(long fromMillis, long toMillis) {
    int taken = 0;
    for (long now = fromMillis; now < toMillis; now++) {
      taken += reads.take(ms(now)) ? 1 : 0;
    }
    return taken;
  }

  @Test
  void tenASecondMayGoHoweverManyAsk() {
    taken(0, 2_000);
    assertEquals(100, taken(2_000, 12_000));
  }

  @Test
  void whatNobodyUsedIsKeptForASecond() {
    taken(0, 2_000);
    assertEquals(11, taken(60_000, 60_001) + taken(60_001, 60_100));
  }
}
