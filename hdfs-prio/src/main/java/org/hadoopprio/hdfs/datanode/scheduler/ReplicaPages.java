// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;

/** What one read has in the page cache, and what it lets the kernel do there. For one thread. */
final class ReplicaPages {

  /** How far ahead data must be in the page cache for a read to go on without its turn. */
  private static final long CACHED_AHEAD_BYTES = 1 << 20;

  /**
   * A checksum of 4 bytes for each 512 bytes of data: HDFS's default; else a page may be missed.
   */
  private static final int DATA_TO_SUMS = 128;

  /** How far the read may go without asking because its data is there. */
  private long until;

  /** Up to where the kernel was made to read for a short read. */
  private long advisedUntil;

  /** Whether the kernel reads ahead of the open file by itself, as in stock HDFS. */
  private boolean kernelReadsAhead = true;

  /** The open file of the replica's checksums; null if it is not known. */
  private FileDescriptor checksums;

  void setChecksums(FileDescriptor file) {
    checksums = file;
  }

  FileDescriptor checksums() {
    return checksums;
  }

  /** Whether a packet at that offset need not ask. */
  boolean has(long offset) {
    return offset < until;
  }

  /** Looks, and remembers how far the read may go without asking again. */
  boolean look(long offset, long end, CachedData data) {
    long ahead = Math.min(CACHED_AHEAD_BYTES, end - offset);
    if (!data.isCached(offset, ahead)) {
      return false;
    }
    until = offset + ahead < end ? offset + ahead / 2 : end;
    return true;
  }

  boolean kernelReadsAhead() {
    return kernelReadsAhead;
  }

  /**
   * While others use the disk, too, the kernel reads nothing ahead by itself: nobody would pay for
   * it, and it would be found in the page cache.
   */
  void letKernelReadAhead(boolean does, FileDescriptor file) {
    if (file == null || does == kernelReadsAhead) {
      return;
    }
    kernelReadsAhead = does;
    if (does) {
      PageCache.readAheadAgain(DescriptorNumber.of(file));
    } else {
      PageCache.readNothingAhead(DescriptorNumber.of(file));
    }
  }

  /**
   * A read that has a turn asks for all of its data at once, as far as a short read goes: sendfile
   * would split it.
   *
   * @return whether the packet's data is on its way; otherwise the kernel reads as in stock HDFS
   */
  boolean advise(long offset, long end, FileDescriptor file) {
    if (file == null || kernelReadsAhead) {
      return false;
    }
    if (offset >= advisedUntil) {
      long bytes = Math.min(StreamTable.SHORT_BYTES, end - offset);
      PageCache.advise(DescriptorNumber.of(file), offset, bytes);
      advisedUntil = offset + bytes;
    }
    return true;
  }

  /** The same as {@link #load}, after which the read may go so far without asking. */
  boolean loadAndGoOn(long offset, long bytes, FileDescriptor file) {
    boolean loaded = load(offset, bytes, file);
    if (loaded) {
      until = offset + bytes;
    }
    return loaded;
  }

  /** Reads data and its checksums; returns false if this kernel cannot. */
  boolean load(long offset, long bytes, FileDescriptor file) {
    // HDFS reads them when it puts the packet together, after the read has left the disk.
    long sumsAt = offset / DATA_TO_SUMS;
    long sumsBytes = bytes / DATA_TO_SUMS + 1;
    if (checksums != null) {
      // The drive gets both together, and goes the shorter way.
      PageCache.advise(DescriptorNumber.of(checksums), sumsAt, sumsBytes);
    }
    boolean loaded = PageCache.load(DescriptorNumber.of(file), offset, bytes);
    if (loaded && checksums != null) {
      PageCache.load(DescriptorNumber.of(checksums), sumsAt, sumsBytes);
    }
    return loaded;
  }
}
