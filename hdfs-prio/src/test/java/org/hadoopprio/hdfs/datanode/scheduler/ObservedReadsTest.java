// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.hadoopprio.IoClass;
import org.junit.jupiter.api.Test;

class ObservedReadsTest {

  private static final long SHORT = StreamTable.SHORT_BYTES;
  private static final long LONG = SHORT + 1;

  private final ObservedReads reads = new ObservedReads(() -> 1);

  private void assertCounted(long count, long waits) {
    assertEquals(count, reads.status().getReads());
    assertEquals(waits, reads.status().getWaits());
  }

  @Test
  void lowerReadsWaitForRealtimeWhichDoesNotWait() {
    Runnable stream = reads.begins(IoClass.IDLE, LONG);
    Runnable realtime = reads.begins(IoClass.REALTIME, SHORT);
    assertCounted(2, 0);
    stream.run();
    reads.begins(IoClass.BEST_EFFORT, SHORT).run();
    assertCounted(3, 1);
    realtime.run();
    reads.begins(IoClass.BEST_EFFORT, SHORT).run();
    assertCounted(4, 1);
  }

  @Test
  void streamsAndShortReadsWaitForTheStreamThatHasTheTurn() {
    Runnable first = reads.begins(IoClass.NONE, LONG);
    Runnable second = reads.begins(IoClass.NONE, LONG);
    reads.begins(IoClass.NONE, SHORT).run();
    assertCounted(3, 2);
    first.run();
    second.run();
    reads.begins(IoClass.NONE, LONG).run();
    assertCounted(4, 2);
  }

  @Test
  void shortReadsDoNotMakeOthersWait() {
    reads.begins(IoClass.NONE, SHORT);
    reads.begins(IoClass.NONE, LONG);
    assertCounted(2, 0);
  }

  @Test
  void asManyStreamsAsThereAreDisksDoNotWait() {
    ObservedReads two = new ObservedReads(() -> 2);
    two.begins(IoClass.NONE, LONG);
    two.begins(IoClass.NONE, LONG);
    assertEquals(0, two.status().getWaits());
    two.begins(IoClass.NONE, LONG);
    assertEquals(1, two.status().getWaits());
  }

  @Test
  void onADeviceThatDoesNotRotateNobodyWaits() {
    ObservedReads flash = new ObservedReads(() -> 0);
    flash.begins(IoClass.REALTIME, SHORT);
    flash.begins(IoClass.NONE, LONG);
    assertEquals(2, flash.status().getReads());
    assertEquals(0, flash.status().getWaits());
  }
}
