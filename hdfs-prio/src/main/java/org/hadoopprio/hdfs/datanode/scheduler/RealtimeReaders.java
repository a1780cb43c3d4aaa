// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The real-time reads of a volume that go on at present, and whether kernel and HDFS may read ahead
 * of all of them. What they have asked the disk for cannot be taken back: the first stream that
 * comes to a disk which real-time reads had to themselves waits for it, however small their share
 * is. Thread-safe.
 */
final class RealtimeReaders {

  /** What a disk of 150 MB/s reads in 0.1 s. */
  static final long UNPAID_BYTES = 16 << 20;

  private final AtomicInteger readers = new AtomicInteger();

  /** A read has begun. */
  void begun() {
    readers.incrementAndGet();
  }

  /** It has ended. */
  void ended() {
    readers.decrementAndGet();
  }

  /**
   * Whether kernel and HDFS may have more in flight for them together than a stream should wait
   * for.
   *
   * @param readAheadBytes of the kernel, which BlockSender doubles (POSIX_FADV_SEQUENTIAL)
   * @param poolBytes what HDFS's pool reads ahead of each; 0 if nothing
   */
  boolean areMany(long readAheadBytes, long poolBytes) {
    long each = Math.max(2 * readAheadBytes, poolBytes);
    return readers.get() > 1 && readers.get() * each > UNPAID_BYTES;
  }
}
