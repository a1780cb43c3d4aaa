// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a part of a file lies on its device, as the file system says (ioctl FS_IOC_FIEMAP,
 * Documentation/filesystems/fiemap.rst). Offsets and lengths are in bytes. Immutable.
 */
public final class FileExtent {

  /** The place of data of which it is not known. */
  public static final long UNKNOWN = -1;

  /** _IOWR('f', 11, struct fiemap): the same number on all architectures of SyscallNumbers. */
  private static final long FS_IOC_FIEMAP = 0xC020660BL;

  /** Of struct fiemap with one struct fiemap_extent (include/uapi/linux/fiemap.h). */
  private static final int STRUCT_BYTES = 32 + 56;

  private static final int MAPPED_AT = 20;
  private static final int COUNT_AT = 24;
  private static final int LOGICAL_AT = 32;
  private static final int PHYSICAL_AT = 40;
  private static final int LENGTH_AT = 48;
  private static final int FLAGS_AT = 72;

  /** FIEMAP_EXTENT_UNKNOWN, DELALLOC, ENCODED, DATA_INLINE and DATA_TAIL: no place to seek to. */
  private static final int PLACELESS = 0x2 | 0x4 | 0x8 | 0x200 | 0x400;

  private static final Logger LOG = LoggerFactory.getLogger(FileExtent.class);

  /** The number of ioctl, or 0 if this process cannot make system calls. */
  private static final long IOCTL = ioctl();

  private final long start;
  private final long end;
  private final long place;

  private FileExtent(long start, long end, long place) {
    this.start = start;
    this.end = end;
    this.place = place;
  }

  private static long ioctl() {
    try {
      NativeCalls.bind(FileExtent.class);
      return SyscallNumbers.here().ioctl;
    } catch (Error e) {
      // As in PageCache: a LinkageError, or JNA's plain Error.
      LOG.warn("Where files lie on their disks is not known: {}", e.toString());
      return 0;
    }
  }

  /** syscall(2) is hand-written in libc, which a variadic function such as ioctl(2) is not. */
  private static native long syscall(long ioctl, long descriptor, long request, byte[] argument);

  /**
   * Asks for the extent around an offset. It takes some microseconds, and reads the disk only if
   * the file system has not read its map of the file yet, which a read of the file would do, too.
   * Never throws.
   *
   * @param descriptor the number of the open file ({@link DescriptorNumber})
   * @return an extent of unknown place if the file system does not tell
   */
  public static FileExtent of(int descriptor, long offset) {
    byte[] bytes = new byte[STRUCT_BYTES];
    ByteBuffer map = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    map.putLong(0, offset).putLong(Long.BYTES, Long.MAX_VALUE - offset).putInt(COUNT_AT, 1);
    if (IOCTL == 0 || syscall(IOCTL, descriptor, FS_IOC_FIEMAP, bytes) != 0) {
      return new FileExtent(0, Long.MAX_VALUE, UNKNOWN);
    }
    long start = map.getLong(LOGICAL_AT);
    if (map.getInt(MAPPED_AT) == 0) {
      return new FileExtent(offset, Long.MAX_VALUE, UNKNOWN);
    }
    if (start > offset) {
      return new FileExtent(offset, start, UNKNOWN);
    }
    boolean known = (map.getInt(FLAGS_AT) & PLACELESS) == 0;
    long end = start + map.getLong(LENGTH_AT);
    return new FileExtent(start, end, known ? map.getLong(PHYSICAL_AT) : UNKNOWN);
  }

  /** Whether it tells something of the data at an offset of the file. */
  public boolean covers(long offset) {
    return offset >= start && offset < end;
  }

  /**
   * Where the data at an offset of the file lies on the file system's device; {@link #UNKNOWN} also
   * outside of the extent.
   */
  public long place(long offset) {
    return place == UNKNOWN || !covers(offset) ? UNKNOWN : place + offset - start;
  }
}
