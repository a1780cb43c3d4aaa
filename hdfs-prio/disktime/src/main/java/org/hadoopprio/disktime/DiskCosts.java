// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import java.util.concurrent.TimeUnit;

/**
 * What a disk of 7200 rpm needs for what it is asked, in nanoseconds of its time: the one place
 * that knows what a way of the arm costs, and the transfer. Whoever decides between a way and
 * something else asks here.
 */
public final class DiskCosts {

  /**
   * The way of the arm and the rotation before a request, where the drive chooses among many: 188
   * random reads a second (SDC 2021, 32 commands).
   */
  static final long WAY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** The same before a request that is the only one: a seek of average length, half a rotation. */
  static final long LONE_WAY_NANOS = 2 * WAY_NANOS;

  /** A random read that is the only one. */
  static final long LONE_READ_NANOS = LONE_WAY_NANOS + TimeUnit.MILLISECONDS.toNanos(2);

  /**
   * From one reader to another and back. Whoever has the disk for a shorter time in between reads
   * little, and whoever it is taken from loses more than that.
   */
  static final long THERE_AND_BACK_NANOS = 2 * LONE_WAY_NANOS;

  /** The disk is kept for a reader that asks for its next read within this time. */
  static final long KEPT_BETWEEN_READS_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

  /** The same for the next read of a chain: its client has said that it will come. */
  static final long KEPT_IN_A_CHAIN_NANOS = 2 * KEPT_BETWEEN_READS_NANOS;

  /**
   * The same between two parts of a sequential read, in which the reader sends what it has read: to
   * go on where it was costs no way.
   */
  static final long KEPT_BETWEEN_PARTS_NANOS = 2 * KEPT_IN_A_CHAIN_NANOS;

  /**
   * The way to the other end of the disk, in turns of a stream: so much more than others a stream
   * may use because it is near. With less the disk seeks farther, with more the others wait longer.
   * {@code VolumeSimulationTest} has both.
   */
  private static final double FAR_TURNS = 1.5;

  /** Sequentially, seeks between turns included: some 160 MB/s. */
  private static final double BYTES_PER_NANO = 0.16;

  /** No disk that rotates is faster or slower by more than that. */
  private static final double OTHER_DISKS = 4;

  private DiskCosts() {}

  /** About what a request takes that is one of many. */
  public static double requestNanos(long bytes) {
    return WAY_NANOS + bytes / BYTES_PER_NANO;
  }

  /** About the bytes that are read in a time. */
  static long bytes(long nanos) {
    return (long) (nanos * BYTES_PER_NANO);
  }

  /** The bytes that a disk transfers in a nanosecond which has read so many after a way. */
  static double rate(double nanos, double bytes) {
    double transfer = Math.max(1, nanos - LONE_WAY_NANOS);
    double least = BYTES_PER_NANO / OTHER_DISKS;
    return Math.max(least, Math.min(bytes / transfer, BYTES_PER_NANO * OTHER_DISKS));
  }

  /**
   * What it costs to end a turn.
   *
   * @param left the part of the turn that is left, for which the arm has to come back
   */
  static double interruptionNanos(double left) {
    return Math.max(0, left) * WAY_NANOS;
  }

  /**
   * What the way to a stream counts, as a seek takes by the root of its distance.
   *
   * @param farthest the longest distance of any
   * @param turnNanos of each of them
   */
  static double wayNanos(long distance, long farthest, long turnNanos) {
    return FAR_TURNS * Math.sqrt((double) distance / farthest) * turnNanos;
  }
}
