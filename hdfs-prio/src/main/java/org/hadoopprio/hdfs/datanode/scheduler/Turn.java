package org.hadoopprio.hdfs.datanode.scheduler;

/** The right of one stream, or of short reads together, to use the disk. Guarded by the lock. */
final class Turn {

  /** Null for the turn of short reads. */
  final Stream stream;

  final StreamGroup group;

  /** The weight of its stream; 0 for the turn of short reads. */
  final double weight;

  final long begunAt;

  /** Reads of this turn that are in. */
  int in;

  /** The disk time that reads which have left have used. */
  long usedNanos;

  /** The bytes that reads which have left have read. */
  long bytes;

  /**
   * Whether other reads were at the disk meanwhile: its arm is elsewhere now, and the next stream
   * costs no seek more than this one. Read without the lock, too.
   */
  volatile boolean interrupted;

  /** The weight of the sync that has left last, after which another may come; 0 if none has. */
  double syncWeight;

  /** When the last read left. */
  long emptySince;

  Turn(Stream stream, StreamGroup group, long now) {
    this.stream = stream;
    this.group = group;
    this.weight = stream == null ? 0 : stream.weight;
    this.begunAt = now;
    this.emptySince = now;
  }
}
