// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import com.sun.jna.Native;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the kernel write a file's data to the disk on the calling thread, and so at the thread's
 * I/O priority. Data that the kernel writes back on its own goes at the priority of a kernel
 * thread, whoever has written it. Thread-safe.
 */
public final class WriteBack {

  /** As a length: up to the end of the file. */
  public static final long TO_THE_END = 0;

  /** SYNC_FILE_RANGE_WAIT_BEFORE of include/uapi/linux/fs.h: waits for writes that have started. */
  private static final int WAIT = 1;

  /** SYNC_FILE_RANGE_WRITE: starts the writes, and waits for none. */
  private static final int START = 2;

  private static final Logger LOG = LoggerFactory.getLogger(WriteBack.class);

  private static final boolean AVAILABLE = isAvailable();

  private static volatile boolean failureLogged;

  private WriteBack() {}

  private static boolean isAvailable() {
    try {
      NativeCalls.bind(WriteBack.class);
      return true;
    } catch (Error e) {
      // A LinkageError if JNA or the function is missing; JNA throws a plain Error for a native
      // library of another version.
      LOG.warn(
          "Data is written back by the kernel alone, at no priority: sync_file_range cannot be"
              + " called ({})",
          e.toString());
      return false;
    }
  }

  private static native int sync_file_range(int descriptor, long offset, long length, int flags);

  /**
   * Starts to write what is dirty in a range of a file. Waits only while the queue of the disk is
   * full. Never throws; a failure is logged once, and the kernel writes the data later.
   *
   * @param descriptor the number of the open file ({@link DescriptorNumber})
   * @param offset the first byte's position
   * @param length in bytes, more than 0; or {@link #TO_THE_END}
   * @return false if it failed
   */
  public static boolean start(int descriptor, long offset, long length) {
    return call(descriptor, offset, length, START);
  }

  /**
   * Waits until what was being written of a range is on the disk, and reports an error of the disk
   * to nobody else who has the file open. Parameters and failures as for {@link #start}.
   */
  public static boolean await(int descriptor, long offset, long length) {
    return call(descriptor, offset, length, WAIT);
  }

  private static boolean call(int descriptor, long offset, long length, int flags) {
    if (!AVAILABLE) {
      return false;
    }
    boolean done = sync_file_range(descriptor, offset, length, flags) == 0;
    if (!done && !failureLogged) {
      failureLogged = true;
      LOG.warn(
          "sync_file_range failed with errno {}; the kernel writes the data later, at no priority."
              + " This is logged once",
          Native.getLastError());
    }
    return done;
  }
}
