// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.hadoopprio.linux.BlockDevice;
import org.junit.jupiter.api.Test;

class OtherRequestsTest {

  private final AtomicLong clock = new AtomicLong();
  private BlockDevice.InFlight inFlight;
  private final OtherRequests others = new OtherRequests(() -> inFlight, clock::get);

  /** Real-time reads that have the disk to themselves would be paced for them. */
  @Test
  void readsThatHaveLeftMeanwhileAreNotOthers() {
    inFlight = new BlockDevice.InFlight(8, 0);
    assertFalse(others.test(4));
    clock.addAndGet(ms(1));
    assertFalse(others.test(1));
    clock.addAndGet(ms(1));
    assertTrue(others.test(1));
  }

  @Test
  void writesAndReadsOfOthersAre() {
    inFlight = new BlockDevice.InFlight(0, 1);
    assertTrue(others.test(1));
    clock.addAndGet(ms(2));
    inFlight = new BlockDevice.InFlight(3, 0);
    assertTrue(others.test(1));
    assertTrue(others.test(2), "counted 2 ms ago at the earliest");
    clock.addAndGet(ms(2));
    assertFalse(others.test(2));
  }
}
