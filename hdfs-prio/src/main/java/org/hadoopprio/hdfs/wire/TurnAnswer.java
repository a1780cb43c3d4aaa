// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.hadoopprio.IoPriority;

/**
 * A DataNode's answer to a client that wants to read a block file itself ({@link TurnRequest}).
 * Immutable. The bytes are described in docs/protocol.md.
 */
public final class TurnAnswer {

  /** The read has to wait; another answer follows. */
  public static final TurnAnswer WAIT = new TurnAnswer(TurnAnswer.WAIT_TYPE, 0, null);

  /** The read would miss its latency target, and should be done from another replica. */
  public static final TurnAnswer LATE = new TurnAnswer(TurnAnswer.LATE_TYPE, 0, null);

  /** Reads of this volume need not ask. */
  public static final TurnAnswer FREE = new TurnAnswer(TurnAnswer.GO_TYPE, 0, null);

  /** Reads of this volume need not ask, and have no priority: they are as in stock HDFS. */
  public static final TurnAnswer OFF = new TurnAnswer(TurnAnswer.OFF_TYPE, 0, null);

  static final int GO_TYPE = 1;
  static final int WAIT_TYPE = 2;
  static final int LATE_TYPE = 3;
  static final int OFF_TYPE = 4;

  private static final int GO_BODY = 6;

  private final int type;
  private final int bytes;
  private final IoPriority priority;

  private TurnAnswer(int type, int bytes, IoPriority priority) {
    this.type = type;
    this.bytes = bytes;
    this.priority = priority;
  }

  /**
   * The client may read.
   *
   * @param bytes how much, from the offset it asked for, greater than 0
   * @param priority what it was granted; null for the normal priority
   */
  public static TurnAnswer go(int bytes, IoPriority priority) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("bytes " + bytes);
    }
    return new TurnAnswer(GO_TYPE, bytes, priority);
  }

  /** Sends this answer. */
  public void writeTo(OutputStream out) throws IOException {
    ByteBuffer message = Frame.begin(type, GO_BODY);
    if (type == GO_TYPE) {
      message.putShort((short) (priority == null ? 0 : priority.kernelValue())).putInt(bytes);
    }
    Frame.send(message, out);
  }

  /**
   * Receives an answer.
   *
   * @throws InterruptedIOException if the stream's time-out has passed without a byte
   * @throws EOFException if the DataNode has closed the connection
   * @throws MalformedMessageException if what comes is no answer of this version
   */
  public static TurnAnswer read(InputStream in) throws IOException {
    ByteBuffer message = Frame.receive(in);
    if (message == null) {
      throw new EOFException("the DataNode has closed the connection");
    }
    int type = Frame.type(message);
    if (type == WAIT_TYPE && !message.hasRemaining()) {
      return WAIT;
    }
    if (type == LATE_TYPE && !message.hasRemaining()) {
      return LATE;
    }
    if (type == OFF_TYPE && !message.hasRemaining()) {
      return OFF;
    }
    if (type != GO_TYPE || message.remaining() != GO_BODY) {
      throw new MalformedMessageException("type " + type + " with " + message.remaining());
    }
    IoPriority priority = TurnRequest.priority(message.getShort() & 0xffff);
    int bytes = message.getInt();
    if (bytes < 0) {
      throw new MalformedMessageException("bytes " + bytes);
    }
    return bytes == 0 ? FREE : new TurnAnswer(GO_TYPE, bytes, priority);
  }

  /** Whether the client must wait for another answer; then nothing else is set. */
  public boolean isWait() {
    return type == WAIT_TYPE;
  }

  /** Whether the client should read another replica; then nothing else is set. */
  public boolean isLate() {
    return type == LATE_TYPE;
  }

  /** Whether the read need not ask: its volume's reads do not wait for their turn. */
  public boolean isFree() {
    return type == GO_TYPE && bytes == 0;
  }

  /** Whether the read need not ask, and has no priority; then nothing else is set. */
  public boolean isOff() {
    return type == OFF_TYPE;
  }

  /** How many bytes may be read before asking again. */
  public int bytes() {
    return bytes;
  }

  /** What the DataNode's policy grants; null for the normal priority. */
  public IoPriority priority() {
    return priority;
  }
}
