// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * What a disk has needed for single real-time reads and for turns of streams, on average over about
 * the latest 256 of each. All 0 as long as none was seen. Immutable.
 */
public final class ServiceTimes {

  /** Nothing yet. */
  public static final ServiceTimes NONE = new ServiceTimes(0, 0, 0, 0, 0, 0, 0);

  private final long reads;
  private final long readMicros;
  private final long readDeviationMicros;
  private final long openMicros;
  private final long turns;
  private final long turnMicros;
  private final long turnBytes;

  /** Makes a status; the getters describe the values. */
  public ServiceTimes(
      long reads,
      long readMicros,
      long readDeviationMicros,
      long openMicros,
      long turns,
      long turnMicros,
      long turnBytes) {
    this.reads = reads;
    this.readMicros = readMicros;
    this.readDeviationMicros = readDeviationMicros;
    this.openMicros = openMicros;
    this.turns = turns;
    this.turnMicros = turnMicros;
    this.turnBytes = turnBytes;
  }

  /** The same with counters that have counted since an earlier status only. */
  public ServiceTimes since(ServiceTimes before) {
    return new ServiceTimes(
        reads - before.reads,
        readMicros,
        readDeviationMicros,
        openMicros,
        turns - before.turns,
        turnMicros,
        turnBytes);
  }

  /** Short real-time reads beside which no other one was at the disk, since the start. */
  public long getReads() {
    return reads;
  }

  /** The disk time of such a read, in microseconds. */
  public long getReadMicros() {
    return readMicros;
  }

  /** The standard deviation of that, in microseconds. */
  public long getReadDeviationMicros() {
    return readDeviationMicros;
  }

  /**
   * The time at the disk before such a read, in microseconds, while its files are opened; 0 of
   * those that are in memory.
   */
  public long getOpenMicros() {
    return openMicros;
  }

  /**
   * Turns in which a stream read 2 MiB and more from the disk, and no real-time read came, since
   * the start.
   */
  public long getTurns() {
    return turns;
  }

  /** The disk time of such a turn, in microseconds, its seek included. */
  public long getTurnMicros() {
    return turnMicros;
  }

  /** The bytes that are read in such a turn. */
  public long getTurnBytes() {
    return turnBytes;
  }
}
