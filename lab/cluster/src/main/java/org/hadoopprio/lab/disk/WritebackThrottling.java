// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's writeback throttling of a disk (Linux, block/blk-wbt.c). */
public final class WritebackThrottling {

  /** Its file in the queue's directory: the latency of reads that it keeps, in microseconds. */
  public static final String FILE = "wbt_lat_usec";

  private static final String BY_DEFAULT = "-1";
  private static final String OFF = "0";
  private static final String WITHOUT = "bfq";

  private WritebackThrottling() {}

  /**
   * Makes it the kernel's default beside an I/O scheduler that has just been set. BFQ has none, but
   * the kernel switches only a default off for it, and no value that was set.
   *
   * @param queue the directory of the disk's queue in sysfs
   */
  public static void setBeside(String scheduler, Path queue) throws IOException {
    if (isIn(queue)) {
      Files.writeString(queue.resolve(FILE), scheduler.equals(WITHOUT) ? OFF : BY_DEFAULT);
    }
  }

  /** Whether this kernel has it: otherwise the file is not there, or cannot be read. */
  public static boolean isIn(Path queue) {
    try {
      Files.readString(queue.resolve(FILE));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
