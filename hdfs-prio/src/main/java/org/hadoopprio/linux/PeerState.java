// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.nio.ByteOrder;

/**
 * Tells whether the other end of a connection is closed, as the kernel knows it (poll(2)). Nothing
 * is read: what the other end has sent stays where it is. Thread-safe.
 */
public final class PeerState {

  /**
   * Of include/uapi/asm-generic/poll.h: an error, closed in both directions, or the other end sends
   * nothing more. POLLRDHUP also if something that it has sent is still to be read.
   */
  private static final int POLLERR = 0x8;

  private static final int POLLHUP = 0x10;
  private static final int POLLRDHUP = 0x2000;

  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private PeerState() {}

  /** The function of libc; a class of its own because it may fail to load. */
  private static final class Libc {

    static {
      NativeCalls.bind(Libc.class);
    }

    private Libc() {}

    static native int poll(int[] descriptors, long count, int timeoutMillis);
  }

  /**
   * Whether the other end is closed, or sends nothing more: TCP shows the same of both until
   * something is sent to it. Waits for nothing.
   *
   * @param descriptor the number of the connected socket
   * @return false also if the kernel cannot be asked
   * @throws Error a LinkageError if JNA is missing; JNA throws a plain Error for a native library
   *     of another version
   */
  public static boolean isClosed(int descriptor) {
    // struct pollfd: the number, and two shorts, what is asked and what is answered.
    int[] poll = {descriptor, LITTLE ? POLLRDHUP : POLLRDHUP << 16};
    if (Libc.poll(poll, 1, 0) <= 0) {
      return false;
    }
    int answered = LITTLE ? poll[1] >>> 16 : poll[1] & 0xffff;
    return (answered & (POLLERR | POLLHUP | POLLRDHUP)) != 0;
  }
}
