// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.hadoopprio.linux.DirtyMemory;

/**
 * How much data the writes of one disk may have in the page cache before the threads that receive
 * it wait, in bytes. Thread-safe.
 *
 * <p>With stock HDFS they wait where the kernel makes them, when the machine has more dirty memory
 * than the mean of {@code vm.dirty_background_ratio} and {@code vm.dirty_ratio}. From the first of
 * the two on, by default 10 % of what is available, the kernel writes on its own, past all turns;
 * for a process with less memory than the machine it is the ratio of that. All disks together
 * therefore have half of the first; the other half is for what takes no turns. It is asked again
 * from time to time, because what is available changes.
 */
final class WriteLimit implements LongSupplier {

  /** Many turns, even where there is little memory or are many disks. */
  static final long LEAST_BYTES = 128 << 20;

  /** The default of {@code vm.dirty_background_ratio} is a tenth. */
  private static final long PART_OF_MEMORY = 10;

  private static final long PART = 2;
  private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** That of each disk of this process. */
  static final WriteLimit OF_A_DISK = new WriteLimit(Volumes::disks);

  /** Of the machine, or of this process's control group if that has less. */
  private static final long MEMORY_BYTES =
      ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
          .getTotalPhysicalMemorySize();

  private final IntSupplier disks;
  private volatile long bytes = LEAST_BYTES;
  private volatile long askedAt;

  /**
   * A limit that has not been asked yet.
   *
   * @param disks how many share the memory
   */
  WriteLimit(IntSupplier disks) {
    this.disks = disks;
    this.askedAt = System.nanoTime() - VALID_NANOS;
  }

  @Override
  public long getAsLong() {
    long now = System.nanoTime();
    if (now - askedAt >= VALID_NANOS) {
      askedAt = now;
      long background = DirtyMemory.backgroundBytes().orElse(0);
      bytes = of(background, MEMORY_BYTES, disks.getAsInt());
    }
    return bytes;
  }

  /**
   * The limit of one disk.
   *
   * @param background with how much the kernel begins to write, in bytes
   * @param memory of this process, in bytes
   * @param disks how many there are
   */
  static long of(long background, long memory, int disks) {
    long tolerated = Math.min(background, memory / PART_OF_MEMORY);
    return Math.max(LEAST_BYTES, tolerated / PART / Math.max(1, disks));
  }
}
