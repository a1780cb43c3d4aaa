// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.hadoopprio.disktime.DeviceQueue;
import org.junit.jupiter.api.Test;

class RealtimeReadersTest {

  private static final long OLD = DeviceQueue.USUAL_READ_AHEAD_BYTES;
  private static final long NEW = 8 << 20;

  /** The default of dfs.datanode.readahead.bytes. */
  private static final long POOL = 4 << 20;

  private static RealtimeReaders readers(int count) {
    RealtimeReaders readers = new RealtimeReaders();
    for (int i = 0; i < count; i++) {
      readers.begun();
    }
    return readers;
  }

  @Test
  void howManyMayReadAsInStockDependsOnTwiceTheReadAhead() {
    assertFalse(readers(1).areMany(NEW, 0));
    assertTrue(readers(2).areMany(NEW, 0));
    assertFalse(readers(64).areMany(OLD, 0));
    assertTrue(readers(65).areMany(OLD, 0));
    assertFalse(readers(1000).areMany(0, 0));
  }

  @Test
  void orOnWhatHdfsReadsAheadItself() {
    assertFalse(readers(4).areMany(OLD, POOL));
    assertTrue(readers(5).areMany(OLD, POOL));
  }

  @Test
  void oneAloneReadsAsInStockWithAnyReadAhead() {
    assertFalse(readers(1).areMany(64 << 20, POOL));
    assertTrue(readers(2).areMany(64 << 20, POOL));
  }

  @Test
  void whoHasEndedDoesNotCount() {
    RealtimeReaders readers = readers(2);
    readers.ended();
    assertFalse(readers.areMany(NEW, 0));
  }
}
