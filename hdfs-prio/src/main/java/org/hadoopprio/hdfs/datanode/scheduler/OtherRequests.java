package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
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

  private final BlockDevice device;
  private long readAt = System.nanoTime() - FRESH_NANOS;
  private BlockDevice.InFlight inFlight;

  OtherRequests(BlockDevice device) {
    this.device = device;
  }

  @Override
  public boolean test(int realtimeReads) {
    long now = System.nanoTime();
    if (inFlight == null || now - readAt >= FRESH_NANOS) {
      inFlight = device.inFlight();
      readAt = now;
    }
    return inFlight.writes() > 0 || inFlight.reads() > REQUESTS_PER_READ * realtimeReads;
  }
}
