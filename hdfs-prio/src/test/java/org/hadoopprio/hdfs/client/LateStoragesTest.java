// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LateStoragesTest {

  private static final String DISK = "DS-1";

  private long now = Long.MAX_VALUE - 5;
  private final LateStorages storages = new LateStorages(() -> now);

  private static long ms(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void pass(long millis) {
    now += ms(millis);
  }

  /** For how long the storage is avoided from now on, in ms, to the nearest 100. */
  private long avoidedMillis() {
    long millis = 0;
    while (storages.isAvoided(DISK, ms(13))) {
      pass(100);
      millis += 100;
    }
    return millis;
  }

  @Test
  void onlyTheStorageThatWasLateIsAvoided() {
    storages.late(DISK, ms(20));
    assertTrue(storages.isAvoided(DISK, ms(13)));
    assertFalse(storages.isAvoided("DS-2", ms(13)));
  }

  @Test
  void readsThatWereLateTogetherCountOnce() {
    storages.late(DISK, ms(20));
    pass(500);
    storages.late(DISK, ms(20));
    assertEquals(500, avoidedMillis());
  }

  @Test
  void whatIsLateAgainIsAvoidedForLonger() {
    for (long expected : new long[] {1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000}) {
      storages.late(DISK, ms(20));
      assertEquals(expected, avoidedMillis());
      pass(expected);
    }
  }

  @Test
  void whatWasInTimeForLongIsLikeAnyOther() {
    storages.late(DISK, ms(20));
    avoidedMillis();
    storages.late(DISK, ms(20));
    avoidedMillis();
    pass(4_000);
    storages.late(DISK, ms(20));
    assertEquals(1_000, avoidedMillis());
  }

  @Test
  void whoHasMoreTimeThanItTakesDoesNotAvoidIt() {
    storages.late(DISK, ms(20));
    assertTrue(storages.isAvoided(DISK, ms(20)));
    assertFalse(storages.isAvoided(DISK, ms(21)));
    assertFalse(storages.isAvoided(DISK, ms(500)));
  }

  /** However often reads are late that have no time at all. */
  @Test
  void whoHasMoreTimeAvoidsItForItsOwnReasons() {
    for (int i = 0; i < 5; i++) {
      storages.late(DISK, ms(20));
      avoidedMillis();
    }
    storages.late(DISK, ms(20));
    storages.late(DISK, ms(900));
    pass(999);
    assertTrue(storages.isAvoided(DISK, ms(500)));
    pass(1);
    assertFalse(storages.isAvoided(DISK, ms(500)));
    assertTrue(storages.isAvoided(DISK, ms(13)), "as before");
  }
}
