// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WriteLimitTest {

  private static final long GIB = 1 << 30;

  @Test
  void disksHaveHalfOfWhatTheKernelToleratesTogether() {
    assertEquals(5 * GIB, WriteLimit.of(10 * GIB, 128 * GIB, 1));
    assertEquals(GIB / 2, WriteLimit.of(12 * GIB, 128 * GIB, 12));
    assertEquals(GIB, WriteLimit.of(2 * GIB, 128 * GIB, 0), "none is known yet");
  }

  @Test
  void aDataNodeWithLessMemoryThanTheMachineHasLess() {
    assertEquals(GIB, WriteLimit.of(12 * GIB, 20 * GIB, 1));
  }

  @Test
  void oneHasManyTurnsInAnyCase() {
    assertEquals(WriteLimit.LEAST_BYTES, WriteLimit.of(0, 128 * GIB, 1), "not known");
    assertEquals(WriteLimit.LEAST_BYTES, WriteLimit.of(GIB, 128 * GIB, 24));
    assertTrue(WriteLimit.LEAST_BYTES >= 8 * SchedulerKeys.TURN_BYTES.defaultValue());
    assertTrue(WriteLimit.OF_A_DISK.getAsLong() >= WriteLimit.LEAST_BYTES);
  }
}
