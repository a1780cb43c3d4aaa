// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.hadoopprio.IoClass;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.metrics.ObservedStatus;

/**
 * Reads of a volume in mode {@link VolumeMode#OBSERVE}: how many begin, and how many of them mode
 * {@link VolumeMode#TURNS} would probably have made wait, because a real-time read or another
 * stream is being served. Thread-safe; takes no lock.
 *
 * <p>That is a sign, no prediction. It knows which reads are being served, not which of them are at
 * the disk: data in the page cache would not wait, nor would anybody for a read whose client is
 * idle. And it looks once, when a read begins: turns decide again for each packet, and pace
 * real-time.
 */
final class ObservedReads {

  /** 0 if reads of the volume cannot be made to wait. */
  private final IntSupplier streamsAtATime;

  private final AtomicInteger realtime = new AtomicInteger();
  private final AtomicInteger streams = new AtomicInteger();
  private final LongAdder reads = new LongAdder();
  private final LongAdder waits = new LongAdder();

  ObservedReads(IntSupplier streamsAtATime) {
    this.streamsAtATime = streamsAtATime;
  }

  /**
   * A read begins.
   *
   * @param length in bytes
   * @return to be run when it ends
   */
  Runnable begins(IoClass ioClass, long length) {
    reads.increment();
    if (ioClass == IoClass.REALTIME) {
      return counted(realtime);
    }
    int atATime = streamsAtATime.getAsInt();
    boolean isBusy = streams.get() >= atATime || realtime.get() > 0;
    if (atATime > 0 && isBusy) {
      waits.increment();
    }
    return length > StreamTable.SHORT_BYTES ? counted(streams) : () -> {};
  }

  private static Runnable counted(AtomicInteger served) {
    served.incrementAndGet();
    return served::decrementAndGet;
  }

  ObservedStatus status() {
    return new ObservedStatus(reads.sum(), waits.sum());
  }
}
