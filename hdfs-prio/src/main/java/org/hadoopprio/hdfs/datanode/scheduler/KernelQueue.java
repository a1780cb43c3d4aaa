// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hadoopprio.disktime.DeviceQueue;
import org.hadoopprio.linux.BlockDevice;

/** A disk's queue as sysfs shows it. It is looked at so seldom that it costs nothing. */
final class KernelQueue implements DeviceQueue {

  private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** An operator changes it by hand. */
  private static final long SETTING_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A real-time read of up to 256 KiB may be two requests. */
  private static final int REQUESTS_PER_READ = 2;

  private final Supplier<BlockDevice.InFlight> inFlight;
  private final LongSupplier readAhead;
  private final BooleanSupplier writeCache;
  private final LongSupplier clock;
  private long readAt;

  /** When a thread last looked at the settings. */
  private final AtomicLong settingAt;

  private volatile long readAheadBytes = USUAL_READ_AHEAD_BYTES;
  private volatile boolean cachesWrites = true;

  /**
   * What followed from the counters when they were read. The number of real-time reads belongs to
   * that moment, too: it may be another by now.
   */
  private boolean found;

  /**
   * Knows nothing yet.
   *
   * @param clock monotonic, in nanoseconds
   */
  KernelQueue(
      Supplier<BlockDevice.InFlight> inFlight,
      LongSupplier readAhead,
      BooleanSupplier writeCache,
      LongSupplier clock) {
    this.inFlight = inFlight;
    this.readAhead = readAhead;
    this.writeCache = writeCache;
    this.clock = clock;
    long now = clock.getAsLong();
    this.readAt = now - FRESH_NANOS;
    this.settingAt = new AtomicLong(now - SETTING_NANOS);
  }

  @Override
  public boolean hasOthers(int realtimeReads) {
    long now = clock.getAsLong();
    if (now - readAt >= FRESH_NANOS) {
      readAt = now;
      BlockDevice.InFlight requests = inFlight.get();
      found = requests.writes() > 0 || requests.reads() > REQUESTS_PER_READ * realtimeReads;
    }
    return found;
  }

  @Override
  public void refresh() {
    long now = clock.getAsLong();
    long before = settingAt.get();
    if (now - before >= SETTING_NANOS && settingAt.compareAndSet(before, now)) {
      readAheadBytes = readAhead.getAsLong();
      cachesWrites = writeCache.getAsBoolean();
    }
  }

  @Override
  public long readAheadBytes() {
    return readAheadBytes;
  }

  @Override
  public boolean cachesWrites() {
    return cachesWrites;
  }
}
