package org.hadoopprio.hdfs.datanode.engine;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** Memory to read into, aligned as O_DIRECT wants it; kept for later reads. Thread-safe. */
final class ReadBuffers {

  /** What all devices' O_DIRECT is content with: a page. */
  static final int ALIGNMENT = 4096;

  /** A turn of a real-time read (RealtimePackets), and room for an offset that is not aligned. */
  static final int BYTES = (256 << 10) + ALIGNMENT;

  private static final int IDLE_MOST = 64;

  private static final ConcurrentLinkedDeque<Buffer> IDLE = new ConcurrentLinkedDeque<>();
  private static final AtomicInteger IDLE_COUNT = new AtomicInteger();

  private ReadBuffers() {}

  /** One read's memory. */
  static final class Buffer {
    final ByteBuffer data;
    final ByteBuffer outcome;
    final long dataAddress;
    final long outcomeAddress;

    private Buffer() {
      ByteBuffer all =
          // alignedSlice cuts at both ends; the outcome has the last page.
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
    if (IDLE_COUNT.incrementAndGet() > IDLE_MOST) {
      IDLE_COUNT.decrementAndGet();
    } else {
      IDLE.addFirst(buffer);
    }
  }
}
