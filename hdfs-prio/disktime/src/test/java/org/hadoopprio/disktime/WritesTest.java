// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** A write has the disk as long as the disk needs for it, whatever the drive only caches. */
class WritesTest extends DiskScenario {

  private static final int MIB = 1 << 20;

  /** In a turn that takes 10 ms for the way, and 10 ms for each 2 MiB. */
  private long streamReads(int mib, long at) {
    Claim stream = streamIn(at);
    stream.readFromDisk(mib * MIB);
    long end = at + ms(10) + ms(5L * mib);
    scheduler.done(stream, end);
    scheduler.poll(end + ms(1));
    pass(end, end + ms(10));
    return end + ms(10);
  }

  private Claim writeIn(long at) {
    Claim write = be(4, new Stream());
    write.setWrites();
    assertTrue(scheduler.ask(write, at));
    return write;
  }

  /** A write may go on at once although a stream waits. */
  private void assertSpeedIsNotKnown(long now) {
    Claim write = writeIn(now);
    streamWaits(now);
    write.read(4 * MIB);
    assertEquals(0, scheduler.leftToWriteNanos(write, now));
  }

  @Test
  void itNeedsTheWayAndTheTransferAsReadsHaveShown() {
    long now = streamReads(8, 0);
    Claim write = writeIn(now);
    streamWaits(now);
    write.read(4 * MIB);
    assertEquals(ms(10 + 20), scheduler.leftToWriteNanos(write, now));
    assertEquals(ms(10), scheduler.leftToWriteNanos(write, now + ms(20)));
    assertEquals(0, scheduler.leftToWriteNanos(write, now + ms(31)));
  }

  @Test
  void itHasNoMoreThanItsTurn() {
    long now = streamReads(8, 0);
    Claim write = writeIn(now);
    streamWaits(now);
    write.read(64 * MIB);
    assertEquals(ms(30), scheduler.leftToWriteNanos(write, now + END_OF_TURN - ms(30)));
    assertEquals(0, scheduler.leftToWriteNanos(write, now + END_OF_TURN));
  }

  /** A drive recovers from an error for seconds. */
  @Test
  void oneSlowTurnDoesNotMakeADiskATape() {
    ServiceMeter meter = new ServiceMeter();
    meter.turn(ms(10_000), 4 * MIB);
    // At least 40 MB/s.
    assertEquals(ms(10 + 100), meter.writeNanos(4_000_000));
    meter.turn(ms(1), 4 * MIB);
    assertTrue(meter.writeNanos(4 * MIB) > ms(10), "a way");
  }

  /** A stream alone reads from the page cache, and with pauses in which the kernel reads ahead. */
  @Test
  void whatMayHaveBeenInMemoryDoesNotShowHowFastTheDiskIs() {
    Claim alone = streamIn(0);
    alone.read(128 * MIB);
    scheduler.done(alone, ms(45));
    pass(ms(45), ms(60));
    assertSpeedIsNotKnown(ms(60));
  }

  @Test
  void whereNobodyWaitsTheCacheMayBeUsed() {
    long now = streamReads(8, 0);
    Claim write = writeIn(now);
    write.read(4 * MIB);
    assertEquals(0, scheduler.leftToWriteNanos(write, now));
  }

  /** Else the speed of the cache would be taken for that of the disk. */
  @Test
  void aWriteDoesNotShowHowFastTheDiskIs() {
    Claim first = writeIn(0);
    first.read(8 * MIB);
    scheduler.done(first, ms(15));
    pass(ms(15), ms(20));
    assertSpeedIsNotKnown(ms(20));
    assertEquals(0, scheduler.serviceTimes().getTurns());
  }
}
