// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * When reads may begin earlier than they have to, because others are said to follow them. That
 * interrupts streams more often than their targets alone need, so it has a price, in time.
 *
 * <p>The first of several reads begins earlier by what the others need. It has to wait for as long
 * after the last such begin. One that follows, and for which the disk was not kept, begins earlier
 * by all that its target leaves. It takes that from a credit that all such reads of the disk have
 * together and that comes back with time; first reads draw on it, too, but need not wait for it.
 * Reads that begin together pay once. So streams are interrupted at most twice in the time of a
 * target, whatever is said to follow.
 *
 * <p>Not thread-safe: guarded by the lock.
 */
final class EarlyBegins {

  /** The credit: enough for a few calls whose reads come too slowly to keep the disk for them. */
  static final long CREDIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** When a first read last began early. */
  private long firstAt = Long.MIN_VALUE / 2;

  /** When the credit is whole again, or was. */
  private long wholeAt = Long.MIN_VALUE / 2;

  /** From when a read may begin early. */
  long allowedAt(Claim claim) {
    if (claim.held.leadNanos == 0) {
      return Long.MIN_VALUE;
    }
    return claim.held.follows
        ? wholeAt + claim.heldNanos() - CREDIT_NANOS
        : firstAt + claim.held.leadNanos;
  }

  /** Reads begin together, and none of them has to. */
  void begun(List<Claim> reads, long now) {
    long price = 0;
    for (Claim read : reads) {
      if (read.held.leadNanos > 0) {
        firstAt = read.held.follows ? firstAt : now;
        price = Math.max(price, read.held.follows ? read.heldNanos() : read.held.leadNanos);
      }
    }
    if (price > 0) {
      // Who may be held for long has to wait for long, but does not make others wait for that.
      wholeAt = Math.max(wholeAt, now) + Math.min(price, CREDIT_NANOS);
    }
  }
}
