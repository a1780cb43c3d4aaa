// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * The right of one stream, or of short reads together, to use the disk. Guarded by the lock for
 * writing.
 */
public final class Turn {

  /** The turns that show how fast the disk reads: in shorter ones most of the time is a seek. */
  private static final long MEASURED_BYTES = 2 << 20;

  /** Whose turn it is. */
  final TenantQueue queue;

  /** Null for the turn of short reads. */
  final Stream stream;

  /** What its stream is a part of; null for the turn of short reads. */
  final Share share;

  /** What its stream may have at least, because short reads have had more. */
  final long owedNanos;

  final long begunAt;

  /** Whose the read is that has come last; null until one has. */
  Owner owner;

  /** Reads of this turn that are in. */
  int in;

  /** The disk time that reads which have left have used. */
  long usedNanos;

  /** The bytes that reads which have left have read. */
  long bytes;

  /** Those of them that are known to have come from the disk ({@link Claim#readFromDisk}). */
  private long bytesFromDisk;

  /**
   * Whether other reads were at the disk meanwhile: its arm is elsewhere now, and the next stream
   * costs no seek more than this one. Read without the lock, too.
   */
  volatile boolean interrupted;

  /** Whether it began while a real-time read was at the disk, which its own time includes. */
  boolean besideRealtime;

  /** The weight of the sync that has left last, after which another may come; 0 if none has. */
  double syncWeight;

  /** When the last read left. */
  long emptySince;

  Turn(TenantQueue queue, Stream stream, Share share, long owedNanos, long now) {
    this.queue = queue;
    this.stream = stream;
    this.share = share;
    this.owedNanos = owedNanos;
    this.begunAt = now;
    this.emptySince = now;
  }

  /**
   * A read of it has left.
   *
   * @param used its disk time, in nanoseconds
   * @param until when it last used the disk
   */
  void left(Claim claim, long used, long until) {
    in--;
    usedNanos += used;
    bytes += claim.use.bytes();
    bytesFromDisk += claim.use.bytesFromDisk();
    emptySince = Math.max(emptySince, until);
  }

  /** Whether it has had all the time or all the bytes of a turn. */
  public boolean isUsedUp(DiskSettings settings) {
    return usedNanos >= settings.turnNanos() || bytes >= settings.turnBytes();
  }

  /** The weight of its stream; 0 for the turn of short reads. */
  double weight() {
    return stream == null ? 0 : stream.weight;
  }

  /** Short reads and syncs are of best-effort. */
  DiskClass diskClass() {
    return share == null || !queue.isIdle(share) ? DiskClass.BEST_EFFORT : DiskClass.IDLE;
  }

  /** Whether it shows how fast the disk reads. */
  boolean isMeasured() {
    return stream != null
        && bytesFromDisk == bytes
        && bytes >= MEASURED_BYTES
        && !interrupted
        && !besideRealtime;
  }

  /**
   * How long it had the disk from a time on, if it is over. What several reads have used together
   * counts once, and nothing counts while all of them were held.
   */
  long hadNanos(long from) {
    return Math.max(0, Math.min(usedNanos, emptySince - Math.max(begunAt, from)));
  }
}
