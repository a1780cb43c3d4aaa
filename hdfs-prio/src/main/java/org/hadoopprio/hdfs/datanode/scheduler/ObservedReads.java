package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.hadoopprio.IoClass;
import org.hadoopprio.metrics.ObservedStatus;

/**
 * Reads of a volume in mode {@link SchedulerMode#OBSERVE}: how many begin, and how many of them
 * mode {@link SchedulerMode#TURNS} would make wait for others. Thread-safe; takes no lock.
 *
 * <p>It knows which reads are being served, not which of them are at the disk, so the waits are a
 * bound from above: data in the page cache would not wait.
 */
final class ObservedReads {

  /** 0 if reads of the volume cannot be made to wait. */
  private final int streamsAtATime;

  private final AtomicInteger realtime = new AtomicInteger();
  private final AtomicInteger streams = new AtomicInteger();
  private final LongAdder reads = new LongAdder();
  private final LongAdder waits = new LongAdder();

  ObservedReads(int streamsAtATime) {
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
    boolean isBusy = streams.get() >= streamsAtATime || realtime.get() > 0;
    if (streamsAtATime > 0 && isBusy) {
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
