// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.Closeable;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.IOUtils;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.FileExtent;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.linux.WriteBack;

/**
 * A file of which parts are read into the page cache, or written from there, for others. It is an
 * open file of its own, because the kernel reads nothing ahead of it by itself, and because each is
 * told once of an error of a write. Offsets and lengths are in bytes.
 */
final class CachedFile implements WrittenFile {

  /**
   * Takes what is read into nothing, for all threads at once: nobody looks at it. A buffer for each
   * of a thousand streams would be 16 MiB of the heap.
   */
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(16 << 10);

  private final FileInputStream file;
  private final FileChannel channel;
  private final int descriptor;

  /** Keeps the file's volume from being removed; null if whoever uses the file does so. */
  private final Closeable reference;

  /** The extent that was asked for last; null before the first. Used by one thread. */
  private FileExtent extent;

  private CachedFile(FileInputStream file, Closeable reference) throws IOException {
    this.file = file;
    this.reference = reference;
    this.channel = file.getChannel();
    this.descriptor = DescriptorNumber.of(file.getFD());
    PageCache.readNothingAhead(descriptor);
  }

  /** Opens once more what is open already. */
  static CachedFile open(FileDescriptor source) throws IOException {
    return open(source, (Closeable) null);
  }

  /**
   * The same for somebody who uses it longer than HDFS does: while it is open, HDFS does not end a
   * removal of its volume.
   *
   * @param volume null if it is not known
   */
  static CachedFile open(FileDescriptor source, FsVolumeSpi volume) throws IOException {
    FsVolumeReference reference = volume == null ? null : volume.obtainReference();
    try {
      return open(source, reference);
    } catch (IOException | RuntimeException | LinkageError e) {
      IOUtils.closeStreams(reference);
      throw e;
    }
  }

  private static CachedFile open(FileDescriptor source, Closeable reference) throws IOException {
    String again = "/proc/self/fd/" + DescriptorNumber.of(source);
    return new CachedFile(new FileInputStream(again), reference);
  }

  @Override
  public long place(long offset) {
    if (extent == null || !extent.covers(offset)) {
      extent = FileExtent.of(descriptor, offset);
    }
    return extent.place(offset);
  }

  /** The open file, for {@link CachedData#file}. */
  FileDescriptor file() throws IOException {
    return file.getFD();
  }

  long size() throws IOException {
    return channel.size();
  }

  boolean isCached(long offset, long length) {
    return PageCache.isResident(descriptor, offset, length);
  }

  /** Makes the kernel begin to read a part. */
  void advise(long offset, long length) {
    PageCache.advise(descriptor, offset, length);
  }

  /**
   * Waits until a part is in the page cache. Of what the kernel reads, single bytes are read, so
   * that pages which the client has not got yet do not count as used twice, which would keep them
   * after that.
   *
   * @return false at the end of the file
   */
  boolean await(long offset, int length) throws IOException {
    return PageCache.load(descriptor, offset, length) || read(offset, length);
  }

  /** Reads a part into nothing; returns false at the end of the file. */
  boolean read(long offset, int length) throws IOException {
    int read;
    for (long from = offset; from < offset + length; from += read) {
      read = channel.read(NOTHING.duplicate(), from);
      if (read < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean isClean(long offset, long length) {
    return PageCache.isClean(descriptor, offset, length);
  }

  @Override
  public boolean startWrite(long offset, long length) {
    return WriteBack.start(descriptor, offset, length);
  }

  @Override
  public boolean awaitWritten(long offset, long length) {
    return WriteBack.await(descriptor, offset, length);
  }

  @Override
  public void close() throws IOException {
    try (Closeable released = reference) {
      file.close();
    }
  }
}
