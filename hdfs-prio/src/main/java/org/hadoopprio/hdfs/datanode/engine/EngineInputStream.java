// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A replica's file that is read through an engine. It is a FileInputStream because BlockSender uses
 * large packets and zero-copy transfers (its channel's transferTo) only with one. What the engine
 * cannot read, the stock stream reads or fails to read.
 */
final class EngineInputStream extends FileInputStream {

  private final FileInputStream stock;
  private final EngineFile file;
  private final FileChannel channel;

  /** -1 means the position of the stock stream, which does not move. */
  private long position = -1;

  /**
   * Takes over the stock stream, which {@link #close} closes, and the engine's file.
   *
   * @throws IOException from the stock stream; the engine's file is closed then
   */
  static EngineInputStream over(FileInputStream stock, EngineFile file) throws IOException {
    EngineInputStream made = null;
    try {
      made = new EngineInputStream(stock, file);
      return made;
    } finally {
      if (made == null) {
        file.close();
      }
    }
  }

  private EngineInputStream(FileInputStream stock, EngineFile file) throws IOException {
    super(stock.getFD());
    this.stock = stock;
    this.file = file;
    this.channel = new EngineChannel(stock.getChannel(), file);
  }

  @Override
  public FileChannel getChannel() {
    return channel;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target) throws IOException {
    return read(target, 0, target.length);
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    settle();
    ByteBuffer bytes = file.at(position, length);
    int count;
    if (bytes == null) {
      stock.getChannel().position(position);
      count = stock.read(target, offset, length);
    } else if (bytes.hasRemaining()) {
      count = Math.min(length, bytes.remaining());
      bytes.get(target, offset, count);
    } else {
      count = -1;
    }
    position += Math.max(0, count);
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    settle();
    // Like FileInputStream: also backwards and beyond the end.
    long target = Math.max(0, position + count);
    long skipped = target - position;
    position = target;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    settle();
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, channel.size() - position));
  }

  /** Determines the position at the first use, because transfers to a socket do not need it. */
  private void settle() throws IOException {
    if (position < 0) {
      position = channel.position();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
    // Both streams hold the descriptor; closing one closes the other.
    stock.close();
  }
}
