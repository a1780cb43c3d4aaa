// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The streams of a disk that open their files, and whether turns rest for them: their few small
 * reads are far apart, and a drive would leave them behind the long runs of a turn.
 *
 * <p>Turns rest for {@link #MAX_NANOS} at most; then they go on for as long as they rested, and for
 * as long as the shortest turn, however many streams open their files. So streams that open one
 * block after the other leave the others half of the disk's time.
 *
 * <p>Guarded by the lock, but for {@link #isHolding} and {@link #until}. Times are nanoseconds of
 * one monotonic clock.
 */
final class StreamOpenings {

  /** How long a stream may open its files before turns rest: they may be cached. */
  static final long GRACE_NANOS = RealtimeReads.OPENING_NANOS;

  /** How long turns rest at most, the grace included. */
  static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** When each of them began to; the eldest first. */
  private final Map<Claim, Long> openings = new LinkedHashMap<>();

  /** Turns rest from then until {@link #heldUntil}; also read without the lock. */
  private volatile long heldFrom = Long.MAX_VALUE;

  private volatile long heldUntil = Long.MAX_VALUE;

  /** Until then turns have their time after a rest. */
  private long freeUntil = Long.MIN_VALUE;

  /** A stream is about to open its files. */
  void add(Claim claim, long now) {
    if (openings.putIfAbsent(claim, now) != null) {
      throw new IllegalStateException("it opens its files already");
    }
    update(now);
  }

  /** It has opened them, or has failed to. */
  void remove(Claim claim, long now) {
    openings.remove(claim);
    update(now);
  }

  /** Finds out whether turns rest now. */
  void update(long now) {
    openings.values().removeIf(since -> now - since >= MAX_NANOS);
    if (now >= heldUntil || openings.isEmpty()) {
      end(Math.min(now, heldUntil));
    }
    if (heldUntil == Long.MAX_VALUE && !openings.isEmpty()) {
      long from = Math.max(openings.values().iterator().next() + GRACE_NANOS, freeUntil);
      heldUntil = from - GRACE_NANOS + MAX_NANOS;
      heldFrom = from;
    }
  }

  private void end(long at) {
    if (at > heldFrom) {
      freeUntil = at + Math.max(at - heldFrom, TurnLength.MIN_TURN_NANOS);
    }
    heldFrom = Long.MAX_VALUE;
    heldUntil = Long.MAX_VALUE;
  }

  /** Whether turns rest. Read without the lock, too. */
  boolean isHolding(long now) {
    return now >= heldFrom && now < heldUntil;
  }

  /** When they go on at the latest; meaningful while they rest. */
  long until() {
    return heldUntil;
  }
}
