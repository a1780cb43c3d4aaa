// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * What the owner of a claim has done since it went in. The owner writes it without the lock, as
 * often as it reads; whoever has the lock reads it. Times are nanoseconds of one monotonic clock.
 */
final class DiskUse {

  /** The value of {@link #idleSince} while it uses the disk. */
  private static final long BUSY = Long.MIN_VALUE;

  /** When it went in; guarded by the lock. */
  private long enteredAt;

  /** When the owner was last seen. */
  private volatile long seenAt;

  /** Since when the owner waits for something other than the disk, or {@link #BUSY}. */
  private volatile long idleSince = BUSY;

  /** For how long it did before that. */
  private volatile long idleNanos;

  private volatile long bytes;

  private volatile long bytesFromDisk;

  /** It goes in. */
  void begin(long now) {
    enteredAt = now;
    seenAt = now;
    idleSince = BUSY;
    idleNanos = 0;
    bytes = 0;
    bytesFromDisk = 0;
  }

  void seen(long now) {
    seenAt = now;
  }

  /** The owner waits for something other than the disk. */
  void pause(long now) {
    seenAt = now;
    if (idleSince == BUSY) {
      idleSince = now;
    }
  }

  /** The owner goes on. */
  void resume(long now) {
    seenAt = now;
    long since = idleSince;
    if (since != BUSY) {
      long before = idleNanos;
      idleNanos = before + now - since;
      idleSince = BUSY;
    }
  }

  /** The owner has read some bytes, or written. */
  void moved(int count) {
    long before = bytes;
    bytes = before + count;
  }

  /** The same; none of it was in the page cache. */
  void movedFromDisk(int count) {
    moved(count);
    long before = bytesFromDisk;
    bytesFromDisk = before + count;
  }

  /** Those of {@link #bytes} that were not in the page cache, as far as that is known. */
  long bytesFromDisk() {
    return bytesFromDisk;
  }

  long enteredAt() {
    return enteredAt;
  }

  long seenAt() {
    return seenAt;
  }

  long bytes() {
    return bytes;
  }

  boolean isBusy() {
    return idleSince == BUSY;
  }

  /** When it last used the disk, if it is in. */
  long until(long now) {
    long since = idleSince;
    return since == BUSY ? now : since;
  }

  /** The time at the disk since it went in, in nanoseconds. */
  long nanos(long now) {
    return Math.max(0, until(now) - enteredAt - idleNanos);
  }
}
