package org.hadoopprio.hdfs.client;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The storages of DataNodes that have been late, each with the time until which reads avoid it: 1 s
 * at first, twice as long each time it is late when a read tries it again, 30 s at most.
 * Thread-safe.
 */
final class LateStorages {

  static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
  static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Map<String, Pause> pauses = new ConcurrentHashMap<>();
  private final LongSupplier clock;

  /** Immutable. */
  private static final class Pause {
    final long from;
    final long nanos;

    Pause(long from, long nanos) {
      this.from = from;
      this.nanos = nanos;
    }

    boolean isOver(long now) {
      return now - from >= nanos;
    }

    /** Whether the storage has been fine for so long that it is as any other. */
    boolean isForgotten(long now) {
      return now - from >= 3 * nanos;
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

  /** A read from the storage was late. Several that were sent together count once. */
  void late(String storage) {
    long now = clock.getAsLong();
    pauses.values().removeIf(pause -> pause.isForgotten(now));
    pauses.merge(
        storage,
        new Pause(now, FIRST_NANOS),
        (before, first) ->
            before.isOver(now)
                ? new Pause(now, Math.min(2 * before.nanos, LONGEST_NANOS))
                : before);
  }

  /** Whether reads should go to another replica. */
  boolean isAvoided(String storage) {
    Pause pause = pauses.isEmpty() ? null : pauses.get(storage);
    return pause != null && !pause.isOver(clock.getAsLong());
  }
}
