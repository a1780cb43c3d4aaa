// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * A file channel whose transfers read through an engine; all other operations go to the stock
 * channel.
 */
final class EngineChannel extends FileChannel {

  private final FileChannel stock;
  private final EngineFile file;

  EngineChannel(FileChannel stock, EngineFile file) {
    this.stock = stock;
    this.file = file;
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
    ByteBuffer bytes = file.at(position, count);
    if (bytes == null) {
      return stock.transferTo(position, count, target);
    }
    if (bytes.remaining() > count) {
      bytes.limit(bytes.position() + (int) count);
    }
    return target.write(bytes);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    return stock.read(target, position);
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    return stock.read(target);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return stock.read(targets, offset, length);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return stock.write(source);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return stock.write(source, position);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return stock.write(sources, offset, length);
  }

  @Override
  public long position() throws IOException {
    return stock.position();
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    stock.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    return stock.size();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    stock.truncate(size);
    return this;
  }

  @Override
  public void force(boolean metaData) throws IOException {
    stock.force(metaData);
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count)
      throws IOException {
    return stock.transferFrom(source, position, count);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
    return stock.map(mode, position, size);
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    return stock.lock(position, size, shared);
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    return stock.tryLock(position, size, shared);
  }

  @Override
  protected void implCloseChannel() throws IOException {
    stock.close();
  }
}
