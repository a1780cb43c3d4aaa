// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/**
 * What the kernel knows of the disk. Asked under the lock, but for what is said to be asked
 * without.
 */
public interface DeviceQueue {

  /** What kernels before Linux 6.17 read ahead, in bytes. */
  long USUAL_READ_AHEAD_BYTES = 128 << 10;

  /**
   * Whether the disk has requests that this DataNode's queue does not know: writes, short-circuit
   * reads, other processes.
   *
   * @param realtimeParts how many parts of 256 KiB of real-time reads it does know
   */
  boolean hasOthers(int realtimeParts);

  /** Finds out what may have changed and is not asked for often; without any lock. Thread-safe. */
  default void refresh() {}

  /**
   * How far the kernel reads ahead of sequential access where nobody tells it not to, in bytes;
   * without any lock.
   */
  default long readAheadBytes() {
    return USUAL_READ_AHEAD_BYTES;
  }

  /** Whether the disk may answer a write when it has only cached it; without any lock. */
  default boolean cachesWrites() {
    return true;
  }
}
