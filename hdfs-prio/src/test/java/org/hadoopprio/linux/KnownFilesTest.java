// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownFilesTest {

  @TempDir Path directory;

  @Test
  void aFileThatWasJustMadeIsKnownUntilItIsDeleted() throws IOException {
    Path file = directory.resolve("blk_1\u00e4");
    assertFalse(KnownFiles.isKnown(file));
    Files.writeString(file, "data");
    assertTrue(KnownFiles.isKnown(file), "needs Linux 5.12");
    assertTrue(KnownFiles.isKnown(directory));
    Files.delete(file);
    assertFalse(KnownFiles.isKnown(file));
  }

  @Test
  void itKeepsNoFileOpen() throws IOException {
    long before = open();
    for (int i = 0; i < 1_000; i++) {
      assertTrue(KnownFiles.isKnown(directory));
    }
    assertTrue(open() < before + 100);
    assertEquals(0, openOf(directory));
  }

  private static long open() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    }
  }

  private static long openOf(Path file) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(each -> each.toFile().exists() && isSame(each, file)).count();
    }
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException e) {
      return false;
    }
  }
}
