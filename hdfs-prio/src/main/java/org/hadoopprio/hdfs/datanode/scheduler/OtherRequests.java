// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hadoopprio.linux.BlockDevice;

/**
 * Whether a disk has requests that this DataNode's queue does not know: writes, short-circuit
 * reads, other processes. The kernel's counters are read every {@link #FRESH_NANOS} at most. Used
 * under the volume's lock.
 */
final class OtherRequests implements IntPredicate {

  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** A real-time read of up to 256 KiB may be two requests. */
  private static final int REQUESTS_PER_READ = 2;

  private final Supplier<BlockDevice.InFlight> device;
  private final LongSupplier clock;
  private long readAt;

  /**
   * What followed from the counters when they were read. The number of real-time reads belongs to
   * that moment, too: it may be another by now.
   */
  private boolean found;

  OtherRequests(BlockDevice device) {
    this(device::inFlight, System::nanoTime);
  }

  /**
   * Knows nothing yet.
   *
   * @param clock monotonic, in nanoseconds
   */
  OtherRequests(Supplier<BlockDevice.InFlight> device, LongSupplier clock) {
    this.device = device;
    this.clock = clock;
    this.readAt = clock.getAsLong() - FRESH_NANOS;
  }

  @Override
  public boolean test(int realtimeReads) {
    long now = clock.getAsLong();
    if (now - readAt >= FRESH_NANOS) {
      readAt = now;
      BlockDevice.InFlight inFlight = device.get();
      found = inFlight.writes() > 0 || inFlight.reads() > REQUESTS_PER_READ * realtimeReads;
    }
    return found;
  }
}
