// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Tenant;

/**
 * What a client that reads a block file itself (short circuit) sends to the DataNode: it is about
 * to read a part of a block from the disk, or it has read the last part it asked for. Immutable.
 * The bytes are described in docs/protocol.md.
 */
public final class TurnRequest {

  /** The client has read what it asked for. */
  public static final TurnRequest LEFT =
      new TurnRequest(null, 0, 0, 0, 0, 0, Hint.NOTHING, "", false);

  static final int ENTER_TYPE = 1;
  static final int LEFT_TYPE = 2;

  /** The most bytes of each of the two texts. */
  static final int MAX_TEXT = 255;

  private static final int FLAG_CACHE_NOT_SEEN = 1;
  private static final int FLAG_TARGET = 2;
  private static final int FLAG_MAY_REFUSE = 4;
  private static final int FLAG_TENANT = 8;

  private final String pool;
  private final long block;
  private final long generation;
  private final long offset;
  private final int length;
  private final int ahead;
  private final Hint hint;
  private final String clientName;
  private final boolean cacheNotSeen;

  private TurnRequest(
      String pool,
      long block,
      long generation,
      long offset,
      int length,
      int ahead,
      Hint hint,
      String clientName,
      boolean cacheNotSeen) {
    this.pool = pool;
    this.block = block;
    this.generation = generation;
    this.offset = offset;
    this.length = length;
    this.ahead = ahead;
    this.hint = hint;
    this.clientName = clientName;
    this.cacheNotSeen = cacheNotSeen;
  }

  /**
   * A request to read a part of a block.
   *
   * @param pool the block pool's id, at most 255 bytes
   * @param generation the block's generation stamp
   * @param offset where the read begins in the block, in bytes
   * @param length of the read in bytes, greater than 0
   * @param ahead how many bytes from {@code offset} must be in the page cache for the read to do
   *     without the disk, greater than 0
   * @param hint a role is not sent
   * @param clientName the DFSClient's name; what is beyond 255 bytes is left out
   * @param cacheNotSeen whether the client may not look into the page cache
   * @throws IllegalArgumentException for a value that is not allowed
   */
  public static TurnRequest enter(
      String pool,
      long block,
      long generation,
      long offset,
      int length,
      int ahead,
      Hint hint,
      String clientName,
      boolean cacheNotSeen) {
    String problem = problem(offset, length, ahead);
    if (problem == null && pool.getBytes(StandardCharsets.UTF_8).length > MAX_TEXT) {
      problem = "block pool of over " + MAX_TEXT + " bytes";
    }
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
    return new TurnRequest(
        pool, block, generation, offset, length, ahead, hint, clientName, cacheNotSeen);
  }

  private static String problem(long offset, int length, int ahead) {
    if (offset < 0 || length <= 0 || ahead <= 0 || offset + Math.max(length, ahead) < 0) {
      return "offset " + offset + ", length " + length + ", ahead " + ahead;
    }
    return null;
  }

  /** Sends this request. */
  public void writeTo(OutputStream out) throws IOException {
    if (isLeft()) {
      Frame.send(Frame.begin(LEFT_TYPE, 0), out);
      return;
    }
    ByteBuffer message = Frame.begin(ENTER_TYPE, Frame.MAX_BODY);
    IoPriority priority = hint.priority();
    boolean target = priority != null && priority.hasTarget();
    int flags =
        (cacheNotSeen ? FLAG_CACHE_NOT_SEEN : 0)
            | (target ? FLAG_TARGET : 0)
            | (hint.mayRefuse() ? FLAG_MAY_REFUSE : 0)
            | (hint.tenant() == null ? 0 : FLAG_TENANT);
    message.put((byte) flags);
    message.putShort((short) (priority == null ? 0 : priority.kernelValue()));
    message.putLong(block).putLong(generation).putLong(offset).putInt(length).putInt(ahead);
    put(message, pool);
    put(message, clientName);
    if (target) {
      message.putInt(priority.targetMillis()).putInt(hint.following());
    }
    if (hint.tenant() != null) {
      put(message, hint.tenant());
    }
    Frame.send(message, out);
  }

  private static void put(ByteBuffer message, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    bytes = bytes.length > MAX_TEXT ? Arrays.copyOf(bytes, MAX_TEXT) : bytes;
    message.put((byte) bytes.length).put(bytes);
  }

  /**
   * Receives a request.
   *
   * @param begins called when its first bytes have come
   * @return null if the client has closed the connection
   * @throws InterruptedIOException if the stream's time-out has passed without a byte
   * @throws MalformedMessageException if what comes is no request of this version
   */
  public static TurnRequest read(InputStream in, Runnable begins) throws IOException {
    ByteBuffer message = Frame.receive(in, begins);
    if (message == null) {
      return null;
    }
    TurnRequest request;
    try {
      request = parse(message);
    } catch (BufferUnderflowException e) {
      throw new MalformedMessageException("a message that is too short for its type");
    }
    if (message.hasRemaining()) {
      throw new MalformedMessageException(message.remaining() + " bytes too many");
    }
    return request;
  }

  private static TurnRequest parse(ByteBuffer message) throws MalformedMessageException {
    int type = Frame.type(message);
    if (type == LEFT_TYPE) {
      return LEFT;
    }
    if (type != ENTER_TYPE) {
      throw new MalformedMessageException("type " + type);
    }
    int flags = message.get() & 0xff;
    if ((flags & ~(FLAG_CACHE_NOT_SEEN | FLAG_TARGET | FLAG_MAY_REFUSE | FLAG_TENANT)) != 0) {
      throw new MalformedMessageException("flags " + flags);
    }
    IoPriority priority = priority(message.getShort() & 0xffff);
    long block = message.getLong();
    long generation = message.getLong();
    long offset = message.getLong();
    int length = message.getInt();
    int ahead = message.getInt();
    String pool = text(message);
    String clientName = text(message);
    int following = 0;
    if ((flags & FLAG_TARGET) != 0) {
      priority = within(priority, message.getInt());
      following = message.getInt();
    }
    String tenant = (flags & FLAG_TENANT) == 0 ? null : tenant(message);
    String problem = problem(offset, length, ahead);
    if (problem != null) {
      throw new MalformedMessageException(problem);
    }
    Hint hint = Hint.of(priority, null).ofTenant(tenant).followedBy(following);
    return new TurnRequest(
        pool,
        block,
        generation,
        offset,
        length,
        ahead,
        (flags & FLAG_MAY_REFUSE) == 0 ? hint : hint.refusable(),
        clientName,
        (flags & FLAG_CACHE_NOT_SEEN) != 0);
  }

  /** The priority of a number in the kernel's encoding; null for 0. */
  static IoPriority priority(int kernelValue) throws MalformedMessageException {
    if (kernelValue == 0) {
      return null;
    }
    IoClass ioClass = IoClass.fromCode(kernelValue >> 13);
    IoPriority found = ioClass == null ? null : IoPriority.find(ioClass, kernelValue & 0x1fff);
    if (found == null) {
      throw new MalformedMessageException("priority " + kernelValue);
    }
    return found;
  }

  private static IoPriority within(IoPriority priority, int target)
      throws MalformedMessageException {
    if (priority == null || !priority.ioClass().hasLevels() || !IoPriority.isTarget(target)) {
      throw new MalformedMessageException("latency target " + target + " ms of " + priority);
    }
    return priority.within(target);
  }

  private static String text(ByteBuffer message) {
    byte[] bytes = new byte[message.get() & 0xff];
    message.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** What cannot be the name of a tenant names none. */
  private static String tenant(ByteBuffer message) {
    String name = text(message);
    return Tenant.isName(name) ? name : null;
  }

  /** The same for a DataNode that knows no tenants. */
  public TurnRequest withoutTenant() {
    return new TurnRequest(
        pool,
        block,
        generation,
        offset,
        length,
        ahead,
        hint.ofTenant(null),
        clientName,
        cacheNotSeen);
  }

  /** Whether this is {@link #LEFT}; then nothing else is set. */
  public boolean isLeft() {
    return pool == null;
  }

  /** The block pool's id. */
  public String pool() {
    return pool;
  }

  /** The block's id. */
  public long block() {
    return block;
  }

  /** The block's generation stamp. */
  public long generation() {
    return generation;
  }

  /** Where the read begins in the block, in bytes. */
  public long offset() {
    return offset;
  }

  /** The length of the read, in bytes. */
  public int length() {
    return length;
  }

  /** How many bytes from the offset must be in the page cache for a read without the disk. */
  public int ahead() {
    return ahead;
  }

  /** What the client states; it has no role. */
  public Hint hint() {
    return hint;
  }

  /** The name of the DFSClient; the client states it and can forge it. */
  public String clientName() {
    return clientName;
  }

  /** Whether the client may not look into the page cache, so that the DataNode should. */
  public boolean isCacheNotSeen() {
    return cacheNotSeen;
  }
}
