// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.realtime;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Real-time pauses for reads that wait for the kernel outside of a turn, which sends nothing of
 * them to the drive while a real-time request is there.
 */
class FileUsersTest extends DiskScenario {

  private final Claim read = be(4, null);

  @Test
  void realtimePausesForOneThatOpensItsFiles() {
    scheduler.opensFiles(read, 0);
    assertTrue(oneWaits(1000));
    assertTrue(scheduler.isRealtimePaused(realtime()));
  }

  @Test
  void itDoesNotWhenTheFilesAreOpen() {
    scheduler.opensFiles(read, -ms(100));
    scheduler.filesOpened(read, 0);
    assertFalse(oneWaits(1000));
  }

  @Test
  void itDoesForOneThatReadsChecksums() {
    scheduler.opensFiles(read, -ms(100));
    scheduler.filesOpened(read, -ms(50));
    read.atFiles(0);
    assertTrue(oneWaits(1000));
  }

  @Test
  void itDoesNotForOneThatSends() {
    scheduler.opensFiles(read, -ms(100));
    scheduler.filesOpened(read, -ms(50));
    read.atFiles(-ms(20));
    read.leavesFiles();
    assertFalse(oneWaits(1000));
  }

  @Test
  void itDoesNotForOneThatHasClosedItsFiles() {
    scheduler.opensFiles(read, -ms(100));
    scheduler.filesClosed(read);
    assertFalse(oneWaits(1000));
    scheduler.opensFiles(read, ms(10_000));
  }

  /** Each comes within the grace, and nothing of it needs the disk. */
  @Test
  void itDoesNotForFilesThatAreCached() {
    scheduler.opensFiles(read, 0);
    for (int i = 0; i < 1000; i++) {
      long at = ms(26) * i;
      read.atFiles(at);
      Claim one = realtime();
      assertTrue(scheduler.askRealtime(one, !OPENING, at + FileUsers.GRACE_NANOS - 1));
      read.leavesFiles();
      // Four fifths of the time, of a share of one half.
      scheduler.realtimeDone(one, at + ms(25));
    }
  }

  @Test
  void itDoesNotForOneThatIsLost() {
    scheduler.opensFiles(read, -Disk.LOST_NANOS);
    assertFalse(oneWaits(1000));
  }

  @Test
  void thePauseEndsWithTheOpening() {
    scheduler.opensFiles(read, 0);
    long at = 0;
    Claim one = realtime();
    for (; scheduler.askRealtime(one, !OPENING, at); one = realtime()) {
      at += ms(10);
      scheduler.realtimeDone(one, at);
    }
    scheduler.poll(at + ms(1));
    assertWaits(one);
    scheduler.filesOpened(read, at + ms(2));
    assertIn(one);
  }
}
