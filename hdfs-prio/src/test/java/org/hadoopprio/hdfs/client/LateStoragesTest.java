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

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** For how long the storage is avoided from now on, in ms, to the nearest 100. */
  private long avoidedMillis() {
    long millis = 0;
    while (storages.isAvoided(DISK)) {
      pass(100);
      millis += 100;
    }
    return millis;
  }

  @Test
  void onlyTheStorageThatWasLateIsAvoided() {
    storages.late(DISK);
    assertTrue(storages.isAvoided(DISK));
    assertFalse(storages.isAvoided("DS-2"));
  }

  @Test
  void readsThatWereLateTogetherCountOnce() {
    storages.late(DISK);
    pass(500);
    storages.late(DISK);
    assertEquals(500, avoidedMillis());
  }

  @Test
  void whatIsLateAgainIsAvoidedForLonger() {
    for (long expected : new long[] {1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000}) {
      storages.late(DISK);
      assertEquals(expected, avoidedMillis());
      pass(expected);
    }
  }

  @Test
  void whatWasInTimeForLongIsLikeAnyOther() {
    storages.late(DISK);
    avoidedMillis();
    storages.late(DISK);
    avoidedMillis();
    pass(4_000);
    storages.late(DISK);
    assertEquals(1_000, avoidedMillis());
  }
}
