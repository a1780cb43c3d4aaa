// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The storages of DataNodes that have been late, each with the time until which reads avoid it: 1 s
 * at first, twice as long each time it is late when a read tries it again, 30 s at most.
 *
 * <p>Only those reads avoid it that have no more time than it was expected to take. For a read that
 * has more it is as any other, and if it is late for that, too, this has a time of its own: whoever
 * asks for less than the disk can do keeps nobody else away. Thread-safe.
 */
final class LateStorages {

  static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** By storage, and then by the power of two below what was expected. */
  private final Map<String, Map<Long, Pause>> storages = new ConcurrentHashMap<>();

  private final LongSupplier clock;

  /** Immutable. */
  private static final class Pause {
    final long from;
    final long nanos;
    final long expectedNanos;

    Pause(long from, long nanos, long expectedNanos) {
      this.from = from;
      this.nanos = nanos;
      this.expectedNanos = expectedNanos;
    }

    boolean isOver(long now) {
      return now - from >= nanos;
    }

    /** Whether the storage has been fine for so long that it is as any other. */
    boolean isForgotten(long now) {
      return now - from >= 3 * nanos;
    }

    /** What becomes of it when the storage is late, maybe again. */
    Pause and(Pause late) {
      if (isOver(late.from)) {
        return new Pause(late.from, Math.min(2 * nanos, LONGEST_NANOS), late.expectedNanos);
      }
      return new Pause(from, nanos, Math.max(expectedNanos, late.expectedNanos));
    }
  }

  /**
   * None is late.
   *
   * @param clock monotonic, in nanoseconds
   */
  LateStorages(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * A read from the storage was late. Several that were sent together count once.
   *
   * @param expectedNanos what a read takes, as far as is known
   */
  void late(String storage, long expectedNanos) {
    long now = clock.getAsLong();
    storages.values().removeIf(pauses -> isForgotten(pauses, now));
    storages.compute(
        storage,
        (name, before) -> {
          Map<Long, Pause> pauses = before == null ? new HashMap<>() : new HashMap<>(before);
          Pause late = new Pause(now, FIRST_NANOS, expectedNanos);
          pauses.values().removeIf(pause -> pause.isForgotten(now));
          pauses.merge(Long.highestOneBit(expectedNanos), late, Pause::and);
          return pauses;
        });
  }

  private static boolean isForgotten(Map<Long, Pause> pauses, long now) {
    return pauses.values().stream().allMatch(pause -> pause.isForgotten(now));
  }

  /** Whether a read that has so much time left should go to another replica. */
  boolean isAvoided(String storage, long leftNanos) {
    Map<Long, Pause> pauses = storages.isEmpty() ? null : storages.get(storage);
    if (pauses == null) {
      return false;
    }
    long now = clock.getAsLong();
    for (Pause pause : pauses.values()) {
      if (leftNanos <= pause.expectedNanos && !pause.isOver(now)) {
        return true;
      }
    }
    return false;
  }
}
