// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

/** What the reads of one class have had of one volume's disk. Immutable. */
public final class ClassStatus {

  /** Nothing yet. */
  public static final ClassStatus NONE = new ClassStatus(0, 0, 0, 0, 0);

  private final long diskMillis;
  private final long diskBytes;
  private final long waits;
  private final long waitMillis;
  private final int waiting;

  /** Makes a status; the getters describe the values. */
  public ClassStatus(long diskMillis, long diskBytes, long waits, long waitMillis, int waiting) {
    this.diskMillis = diskMillis;
    this.diskBytes = diskBytes;
    this.waits = waits;
    this.waitMillis = waitMillis;
    this.waiting = waiting;
  }

  /** The same with counters that have counted since an earlier status only. */
  ClassStatus since(ClassStatus before) {
    return new ClassStatus(
        diskMillis - before.diskMillis,
        diskBytes - before.diskBytes,
        waits - before.waits,
        waitMillis - before.waitMillis,
        waiting);
  }

  /**
   * The disk time that the class has used, in milliseconds: the time in which real-time reads were
   * at the disk, or it was kept for the next one; of other classes the sum over their reads, of
   * which several may be at the disk together.
   */
  public long getDiskMillis() {
    return diskMillis;
  }

  /**
   * The bytes of data that the class has read or written in that time. While several use the disk,
   * it is what the disk has moved for the class, without checksums and inodes; for a read that has
   * the disk to itself, what its client has taken.
   */
  public long getDiskBytes() {
    return diskBytes;
  }

  /** Waits that have ended. A read may wait many times. */
  public long getWaits() {
    return waits;
  }

  /** Their total duration in milliseconds. */
  public long getWaitMillis() {
    return waitMillis;
  }

  /** Reads that wait now. */
  public int getWaiting() {
    return waiting;
  }
}
