// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RealtimeReadersTest {

  private static final long OLD = DeviceQueue.USUAL_READ_AHEAD_BYTES;
  private static final long NEW = 8 << 20;

  private static RealtimeReaders readers(int count) {
    RealtimeReaders readers = new RealtimeReaders();
    for (int i = 0; i < count; i++) {
      readers.begun();
    }
    return readers;
  }

  @Test
  void howManyMayReadAsInStockDependsOnTheReadAhead() {
    assertFalse(readers(2).areMany(NEW));
    assertTrue(readers(3).areMany(NEW));
    assertFalse(readers(128).areMany(OLD));
    assertTrue(readers(129).areMany(OLD));
    assertFalse(readers(1000).areMany(0));
  }

  @Test
  void oneAloneReadsAsInStockWithAnyReadAhead() {
    assertFalse(readers(1).areMany(64 << 20));
    assertTrue(readers(2).areMany(64 << 20));
  }

  @Test
  void whoHasEndedDoesNotCount() {
    RealtimeReaders readers = readers(3);
    readers.ended();
    assertFalse(readers.areMany(NEW));
  }
}
