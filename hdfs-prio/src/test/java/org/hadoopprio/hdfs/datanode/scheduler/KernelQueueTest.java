// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.hadoopprio.linux.BlockDevice;
import org.junit.jupiter.api.Test;

class KernelQueueTest {

  private final AtomicLong clock = new AtomicLong();
  private BlockDevice.InFlight inFlight;
  private long readAhead = 128 << 10;
  private boolean writeCache;
  private final KernelQueue others =
      new KernelQueue(() -> inFlight, () -> readAhead, () -> writeCache, clock::get);

  /** Real-time reads that have the disk to themselves would be paced for them. */
  @Test
  void readsThatHaveLeftMeanwhileAreNotOthers() {
    inFlight = new BlockDevice.InFlight(8, 0);
    assertFalse(others.hasOthers(4));
    clock.addAndGet(ms(1));
    assertFalse(others.hasOthers(1));
    clock.addAndGet(ms(1));
    assertTrue(others.hasOthers(1));
  }

  @Test
  void writesAndReadsOfOthersAre() {
    inFlight = new BlockDevice.InFlight(0, 1);
    assertTrue(others.hasOthers(1));
    clock.addAndGet(ms(2));
    inFlight = new BlockDevice.InFlight(3, 0);
    assertTrue(others.hasOthers(1));
    assertTrue(others.hasOthers(2), "counted 2 ms ago at the earliest");
    clock.addAndGet(ms(2));
    assertFalse(others.hasOthers(2));
  }

  @Test
  void aChangedReadAheadIsSeenWithinSeconds() {
    others.refresh();
    assertEquals(128 << 10, others.readAheadBytes());
    readAhead = 8 << 20;
    clock.addAndGet(ms(4_999));
    others.refresh();
    assertEquals(128 << 10, others.readAheadBytes());
    clock.addAndGet(ms(1));
    assertEquals(128 << 10, others.readAheadBytes(), "not read under the volume's lock");
    others.refresh();
    assertEquals(8 << 20, others.readAheadBytes());
  }

  @Test
  void aChangedWriteCacheIsSeenWithinSeconds() {
    assertTrue(others.cachesWrites(), "until it is known");
    others.refresh();
    assertFalse(others.cachesWrites());
    writeCache = true;
    clock.addAndGet(ms(5_000));
    others.refresh();
    assertTrue(others.cachesWrites());
  }
}
