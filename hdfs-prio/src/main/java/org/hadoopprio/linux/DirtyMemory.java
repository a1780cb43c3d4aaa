// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** How much data may be in the page cache that is not yet on the disks. Thread-safe. */
public final class DirtyMemory {

  private static final String BACKGROUND = "nr_dirty_background_threshold ";

  private DirtyMemory() {}

  /**
   * With how much of it in the whole machine the kernel begins to write on its own, in bytes: what
   * {@code vm.dirty_background_ratio} is of the memory that is available now, or {@code
   * vm.dirty_background_bytes}. Reads a file of /proc, which costs some 50 microseconds.
   *
   * @return empty if the kernel does not tell
   */
  public static OptionalLong backgroundBytes() {
    return backgroundBytes(Path.of("/proc/vmstat"), PageCache.pageBytes());
  }

  static OptionalLong backgroundBytes(Path vmstat, int pageBytes) {
    try (Stream<String> lines = Files.lines(vmstat)) {
      return lines
          .filter(line -> line.startsWith(BACKGROUND))
          .mapToLong(
              line -> Long.parseLong(line.substring(BACKGROUND.length()).strip()) * pageBytes)
          .findFirst();
    } catch (IOException | RuntimeException e) {
      return OptionalLong.empty();
    }
  }
}
