// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** A pool of read buffers, aligned as O_DIRECT requires. Thread-safe. */
final class ReadBuffers {

  /** A page: an alignment that O_DIRECT accepts on all devices. */
  static final int ALIGNMENT = 4096;

  /**
   * The part that a real-time read does between two passes of the gate (ScheduledRead), plus room
   * for an unaligned offset.
   */
  static final int BYTES = (256 << 10) + ALIGNMENT;

  private static final int MAX_IDLE = 64;

  private static final ConcurrentLinkedDeque<Buffer> IDLE = new ConcurrentLinkedDeque<>();
  private static final AtomicInteger IDLE_COUNT = new AtomicInteger();

  private ReadBuffers() {}

  /** The memory of one read. */
  static final class Buffer {
    final ByteBuffer data;
    final ByteBuffer outcome;
    final long dataAddress;
    final long outcomeAddress;

    private Buffer() {
      ByteBuffer all =
          // alignedSlice cuts at both ends; the outcome occupies the last page.
          ByteBuffer.allocateDirect(BYTES + 2 * ALIGNMENT).alignedSlice(ALIGNMENT);
      data = all.duplicate().limit(BYTES).slice();
      outcome = all.position(BYTES).slice().order(ByteOrder.nativeOrder());
      dataAddress = Pointer.nativeValue(Native.getDirectBufferPointer(data));
      outcomeAddress = Pointer.nativeValue(Native.getDirectBufferPointer(outcome));
    }
  }

  static Buffer take() {
    Buffer idle = IDLE.pollFirst();
    if (idle == null) {
      return new Buffer();
    }
    IDLE_COUNT.decrementAndGet();
    return idle;
  }

  static void put(Buffer buffer) {
    if (IDLE_COUNT.incrementAndGet() > MAX_IDLE) {
      IDLE_COUNT.decrementAndGet();
    } else {
      IDLE.addFirst(buffer);
    }
  }
}
