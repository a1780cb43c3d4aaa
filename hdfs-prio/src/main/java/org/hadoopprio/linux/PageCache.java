// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether a read of a file needs the disk or finds its data in the page cache. Thread-safe.
 *
 * <p>The kernel is asked with cachestat(2) (Linux 6.5; mm/filemap.c). Older kernels are asked with
 * preadv2(2) and RWF_NOWAIT (Linux 4.14 for ext4 and XFS): single bytes are read, which fails for a
 * byte that is not in the cache. Newer kernels are not asked so even if they refuse cachestat:
 * since "mm: allow read-ahead with IOCB_NOWAIT set" (2024) such a read fails, too, but makes the
 * kernel read what is missing, and the next call finds it.
 */
public final class PageCache {

  private static final int RWF_NOWAIT = 8;
  private static final int EBADF = 9;
  private static final int EAGAIN = 11;
  private static final String NOT_KNOWN =
      "what the page cache holds is not known, so cached data counts as not cached";
  private static final int POSIX_FADV_RANDOM = 1;
  private static final int POSIX_FADV_SEQUENTIAL = 2;
  private static final int POSIX_FADV_WILLNEED = 3;

  /**
   * struct cachestat of include/uapi/linux/mman.h: nr_cache, nr_dirty and three others, 64 bits
   * each.
   */
  private static final int CACHESTAT_LONGS = 5;

  private static final int DIRTY = 1;
  private static final int DEFAULT_PAGE_BYTES = 4096;

  /** What any kernel reads with one advice and in one request, unless its limits are tiny. */
  private static final long STEP_BYTES = 128 << 10;

  /** The kernel reads ahead in larger pieces, so the cache seldom has a smaller gap. */
  private static final long SAMPLE_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(PageCache.class);

  /** Null if this process cannot make the system calls. */
  private static final PageCache KERNEL = kernel();

  private final boolean older;
  private final long call;
  private final long preadv2 = SyscallNumbers.here().preadv2;
  private final int pageBytes = getpagesize();

  /** An iovec and the byte that it describes. All threads read to it and none looks at it. */
  private final Memory oneByte = new Memory(24);

  private volatile boolean failureLogged;

  /**
   * A cache that is asked in one way.
   *
   * @param older whether the kernel is older than cachestat
   * @param call the number of preadv2 if it is, else of cachestat
   */
  PageCache(boolean older, long call) {
    this.older = older;
    this.call = call;
    oneByte.setPointer(0, oneByte.share(16));
    oneByte.setLong(8, 1);
  }

  private static PageCache kernel() {
    try {
      NativeCalls.bind(PageCache.class);
      boolean older = isOlderThanCachestat(System.getProperty("os.version"));
      SyscallNumbers numbers = SyscallNumbers.here();
      return new PageCache(older, older ? numbers.preadv2 : SyscallNumbers.CACHESTAT);
    } catch (Error e) {
      // A LinkageError if JNA is missing; JNA throws a plain Error for a native library of another
      // version.
      LOG.warn("Cached data counts as not cached: the kernel cannot be asked ({})", e.toString());
      return null;
    }
  }

  /** Whether a release, such as {@code 5.14.0-503.el9}, is older than Linux 6.5. */
  static boolean isOlderThanCachestat(String release) {
    Matcher version = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})").matcher(release);
    if (!version.lookingAt()) {
      return false;
    }
    int major = Integer.parseInt(version.group(1));
    return major < 6 || (major == 6 && Integer.parseInt(version.group(2)) < 5);
  }

  private static native int getpagesize();

  /** The bytes of the smallest page; 4096 if the kernel cannot be asked. */
  static int pageBytes() {
    return KERNEL == null ? DEFAULT_PAGE_BYTES : KERNEL.pageBytes;
  }

  private static native int posix_fadvise(int descriptor, long offset, long length, int advice);

  /**
   * Makes the kernel read a range of a file into the page cache, and does not wait for it. The
   * kernel reads at most max_sectors_kb or read_ahead_kb of it, whichever is more (mm/readahead.c,
   * force_page_cache_ra), and may read nothing. Never throws.
   *
   * @param descriptor the number of the open file ({@link DescriptorNumber})
   * @param offset the first byte's position
   * @param length in bytes; with 0 or less, nothing is read
   */
  public static void advise(int descriptor, long offset, long length) {
    if (KERNEL != null && length > 0) {
      posix_fadvise(descriptor, offset, length, POSIX_FADV_WILLNEED);
    }
  }

  /**
   * Makes the kernel read of an open file what is asked for, and nothing ahead by itself; {@link
   * #advise} still works (FMODE_RANDOM in mm/readahead.c). It is a property of the open file, not
   * of the file. Never throws.
   *
   * @param descriptor the number of the open file ({@link DescriptorNumber})
   */
  public static void readNothingAhead(int descriptor) {
    if (KERNEL != null) {
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM);
    }
  }

  /** The kernel reads ahead again, as for a file that is read from begin to end. Never throws. */
  public static void readAheadAgain(int descriptor) {
    if (KERNEL != null) {
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
  }

  /**
   * Reads a range of a file into the page cache and waits for it. The disk is asked for the range
   * and no more, if the open file {@linkplain #readNothingAhead reads nothing ahead}. Never throws.
   *
   * @param descriptor the number of the open file ({@link DescriptorNumber})
   * @param offset the first byte's position
   * @param length in bytes, more than 0; the range must end within the file
   * @return whether it was read; false if the kernel cannot be asked, or if a read fails, which
   *     whoever reads the data meets, too
   */
  public static boolean load(int descriptor, long offset, long length) {
    return KERNEL != null && KERNEL.fill(descriptor, offset, length);
  }

  private boolean fill(int descriptor, long offset, long length) {
    advise(descriptor, offset, length);
    long end = offset + length;
    // The drive may do the last of several requests first, so each of them is waited for.
    for (long at = offset; at < end; at += STEP_BYTES) {
      long bytes = Math.min(STEP_BYTES, end - at);
      // The kernel reads less with one advice where max_sectors_kb and read_ahead_kb are small.
      if (!covers(descriptor, at, bytes)) {
        advise(descriptor, at, end - at);
      }
      if (read(preadv2, descriptor, at + bytes - 1, 0) != 1) {
        return false;
      }
    }
    return true;
  }

  /** syscall(2) is hand-written in libc and takes its arguments as plain longs and addresses. */
  private static native long syscall(
      long cachestat, long descriptor, long[] range, long[] counts, long flags);

  private static native long syscall(
      long preadv2,
      long descriptor,
      Memory vector,
      long vectors,
      long offset,
      long offsetHigh,
      long flags);

  /**
   * Whether a range of a file can be read without a new request to the disk. With cachestat(2) it
   * costs 0.6 microseconds and up to 30 ns for each page (less where the cache has larger folios),
   * so 1.1 microseconds for 64 KiB; else 0.9 microseconds for each 64 KiB and once more. Never
   * throws and never waits for the disk.
   *
   * <p>cachestat also counts pages that are being read just now: a reader of these waits, but for a
   * request that the disk already has. The single bytes do not count such pages, nor a page at
   * which the kernel would start its next read-ahead; they do not see gaps between them; and like
   * any read they mark their pages as used.
   *
   * @param descriptor the number of the open file ({@link DescriptorNumber})
   * @param offset the first byte's position
   * @param length in bytes; nothing to read (0 or less) is resident. The range must end within the
   *     file: what is beyond is never resident
   * @return false also if it is not known, for a reason that is logged once. Newer kernels (6.14,
   *     stable ones of that time) tell it only of a file that this process owns or may write
   */
  public static boolean isResident(int descriptor, long offset, long length) {
    return KERNEL != null && KERNEL.covers(descriptor, offset, length);
  }

  /**
   * Whether nothing of a range of a file waits to be written to the disk, although some of it may
   * be on its way there. Costs as much as {@link #isResident}, and takes the same parameters.
   *
   * @return false also if it is not known, as before Linux 6.5
   */
  public static boolean isClean(int descriptor, long offset, long length) {
    return KERNEL != null && KERNEL.hasNoDirty(descriptor, offset, length);
  }

  /**
   * Whether this process has found out that it may not, or cannot, look: another one, such as the
   * owner of the file, should be asked.
   */
  public static boolean isRefused() {
    return KERNEL == null || KERNEL.failureLogged;
  }

  private long read(long number, int descriptor, long position, int flags) {
    return syscall(number, descriptor, oneByte, 1, position, 0, flags);
  }

  boolean covers(int descriptor, long offset, long length) {
    if (length <= 0) {
      return true;
    }
    if (offset < 0 || length > Long.MAX_VALUE - offset) {
      return false;
    }
    return older
        ? sample(descriptor, offset, offset + length - 1)
        : count(descriptor, offset, length);
  }

  private boolean count(int descriptor, long offset, long length) {
    long[] counts = counts(descriptor, offset, length);
    return counts != null && counts[0] > (offset + length - 1) / pageBytes - offset / pageBytes;
  }

  boolean hasNoDirty(int descriptor, long offset, long length) {
    if (older || length <= 0 || offset < 0) {
      return length <= 0;
    }
    long[] counts = counts(descriptor, offset, length);
    return counts != null && counts[DIRTY] == 0;
  }

  /** Null if the kernel does not tell. */
  private long[] counts(int descriptor, long offset, long length) {
    RefusedCalls.announce();
    long[] counts = new long[CACHESTAT_LONGS];
    if (syscall(call, descriptor, new long[] {offset, length}, counts, 0) == 0) {
      return counts;
    }
    unknown("cachestat", Native.getLastError());
    return null;
  }

  private boolean sample(int descriptor, long first, long last) {
    for (long at = first; ; at = Math.min(at + SAMPLE_BYTES, last)) {
      // 64-bit kernels take the whole offset from the first of its two arguments.
      long read = read(call, descriptor, at, RWF_NOWAIT);
      if (read < 0 && Native.getLastError() != EAGAIN) {
        return unknown("preadv2", Native.getLastError());
      }
      // Linux 5.9 and 5.10 return 0 not only at the end of the file (readv(2), BUGS).
      if (read <= 0) {
        return false;
      }
      if (at == last) {
        return true;
      }
    }
  }

  private boolean unknown(String name, int errno) {
    // An interrupt of another thread has closed the file meanwhile, which tells nothing of others.
    if (errno != EBADF && !failureLogged) {
      failureLogged = true;
      if (RefusedCalls.isRefusal(errno) && isRefusedForAnyFile()) {
        RefusedCalls.add(name, errno, NOT_KNOWN);
      } else {
        LOG.warn(
            "{} failed with errno {}: {}. The file must be owned by this process's user. This is"
                + " logged once",
            name,
            errno,
            NOT_KNOWN);
      }
    }
    return false;
  }

  /** A file that is open for writing may be asked about by everyone; preadv2 asks of any. */
  private boolean isRefusedForAnyFile() {
    if (older) {
      return true;
    }
    try (RandomAccessFile file = new RandomAccessFile("/dev/null", "rw")) {
      long descriptor = DescriptorNumber.of(file.getFD());
      return syscall(call, descriptor, new long[2], new long[CACHESTAT_LONGS], 0) != 0;
    } catch (IOException | IllegalStateException e) {
      return false;
    }
  }
}
