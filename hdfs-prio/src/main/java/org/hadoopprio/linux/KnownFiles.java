// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import com.sun.jna.Native;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether the kernel can open a file without asking the disk for its directories and its
 * inode: openat2(2) with RESOLVE_CACHED (Linux 5.12; fs/open.c). Thread-safe.
 */
public final class KnownFiles {

  /** A structure of include/uapi/linux/openat2.h: flags, mode and resolve, 64 bits each. */
  private static final int HOW_BYTES = 24;

  private static final long O_PATH_CLOEXEC = 0x200000 | 0x80000;
  private static final long RESOLVE_CACHED = 0x20;
  private static final long AT_FDCWD = -100;

  private static final Logger LOG = LoggerFactory.getLogger(KnownFiles.class);

  private static final boolean USABLE = register();

  private KnownFiles() {}

  private static boolean register() {
    try {
      Native.register(KnownFiles.class, "c");
      SyscallNumbers.here();
      return true;
    } catch (Error e) {
      // A LinkageError if JNA is missing; JNA throws a plain Error for a native library of another
      // version.
      LOG.warn("No file counts as known: the kernel cannot be asked ({})", e.toString());
      return false;
    }
  }

  /** syscall(2) is hand-written in libc and takes its arguments as plain longs and addresses. */
  private static native long syscall(
      long openat2, long directory, byte[] path, long[] how, long bytes);

  private static native int close(int descriptor);

  /**
   * Whether the kernel knows an existing file. Costs some 3 microseconds, never throws and never
   * waits for the disk.
   *
   * @param path absolute
   * @return false also if the kernel does not tell, as before Linux 5.12
   */
  public static boolean isKnown(Path path) {
    if (!USABLE) {
      return false;
    }
    byte[] text = path.toString().getBytes(StandardCharsets.UTF_8);
    long[] how = {O_PATH_CLOEXEC, 0, RESOLVE_CACHED};
    long descriptor =
        syscall(
            SyscallNumbers.OPENAT2, AT_FDCWD, Arrays.copyOf(text, text.length + 1), how, HOW_BYTES);
    return descriptor >= 0 && close((int) descriptor) == 0;
  }
}
