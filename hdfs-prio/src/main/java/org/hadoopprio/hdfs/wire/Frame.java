// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * What all messages about short-circuit reads begin with: version, type and length of the rest, in
 * network byte order. Not thread-safe.
 */
final class Frame {

  static final int VERSION = 1;

  /** The most bytes after the header. */
  static final int MAX_BODY = 1024;

  private static final int HEADER = 4;

  /** The time from the first bytes to the last of a message, which is sent in one write. */
  private static final long MAX_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private Frame() {}

  /** A buffer to which the body is added. */
  static ByteBuffer begin(int type, int maxBody) {
    ByteBuffer message = ByteBuffer.allocate(HEADER + maxBody);
    message.put((byte) VERSION).put((byte) type).putShort((short) 0);
    return message;
  }

  /** Fills in the length, and sends the message in one write. */
  static void send(ByteBuffer message, OutputStream out) throws IOException {
    message.putShort(2, (short) (message.position() - HEADER));
    byte[] bytes = new byte[message.flip().remaining()];
    message.get(bytes);
    out.write(bytes);
  }

  /** Receives one message, of which nobody need know before it is there. */
  static ByteBuffer receive(InputStream in) throws IOException {
    return receive(in, () -> {});
  }

  /**
   * Receives one message.
   *
   * @param begins called when its first bytes have come
   * @return the message, positioned at its body; null at the end of the stream
   * @throws InterruptedIOException if the stream's time-out has passed without a byte
   * @throws MalformedMessageException for another version, or a body that is too long
   * @throws IOException if the stream ends, is silent, or takes its time in the middle of a message
   */
  static ByteBuffer receive(InputStream in, Runnable begins) throws IOException {
    byte[] header = new byte[HEADER];
    int first = in.read(header, 0, HEADER);
    if (first < 0) {
      return null;
    }
    long until = System.nanoTime() + MAX_NANOS;
    begins.run();
    fill(in, header, first, until);
    int version = header[0] & 0xff;
    if (version != VERSION) {
      throw new MalformedMessageException("version " + version + ", known is " + VERSION);
    }
    int length = ByteBuffer.wrap(header).getShort(2) & 0xffff;
    if (length > MAX_BODY) {
      throw new MalformedMessageException(
          "a body of " + length + " bytes, allowed are " + MAX_BODY);
    }
    byte[] message = new byte[HEADER + length];
    System.arraycopy(header, 0, message, 0, HEADER);
    fill(in, message, HEADER, until);
    return ByteBuffer.wrap(message).position(HEADER);
  }

  static int type(ByteBuffer message) {
    return message.get(1) & 0xff;
  }

  private static void fill(InputStream in, byte[] bytes, int from, long until) throws IOException {
    int at = from;
    while (at < bytes.length) {
      int count;
      try {
        count = in.read(bytes, at, bytes.length - at);
      } catch (InterruptedIOException e) {
        // What follows can no longer be told from the rest of this message.
        throw new IOException("silence in the middle of a message", e);
      }
      if (count < 0) {
        throw new EOFException("the end of the stream in the middle of a message");
      }
      at += count;
      // Not before that: what has come while this thread did not run is there at once.
      if (at < bytes.length && System.nanoTime() - until > 0) {
        throw new IOException("a message that comes in pieces");
      }
    }
  }
}
