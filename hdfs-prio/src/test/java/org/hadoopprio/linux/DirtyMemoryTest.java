// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirtyMemoryTest {

  @TempDir private Path directory;

  private OptionalLong of(String vmstat) throws IOException {
    Path file = Files.writeString(directory.resolve("vmstat"), vmstat);
    return DirtyMemory.backgroundBytes(file, 4096);
  }

  @Test
  void isThatOfTheKernelInBytes() throws IOException {
    assertEquals(
        OptionalLong.of(100 * 4096),
        of("nr_dirty 7\nnr_dirty_threshold 200\nnr_dirty_background_threshold 100\n"));
    assertTrue(DirtyMemory.backgroundBytes().orElseThrow() > 0, "of this kernel");
  }

  @Test
  void isEmptyIfTheKernelDoesNotTell() throws IOException {
    assertEquals(OptionalLong.empty(), of("nr_dirty 7\n"));
    assertEquals(OptionalLong.empty(), of("nr_dirty_background_threshold many\n"));
    assertEquals(
        OptionalLong.empty(), DirtyMemory.backgroundBytes(directory.resolve("none"), 4096));
  }
}
