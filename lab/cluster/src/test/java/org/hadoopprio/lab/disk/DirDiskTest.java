// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hadoopprio.tools.trace.DeviceNumber;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirDiskTest {

  @TempDir Path parent;

  @Test
  void isADirectoryThatGoesWithItsData() throws IOException {
    Disk disk = DiskKind.DIR.create(parent, "disk", 0);
    Files.createDirectories(disk.directory().resolve("a/b"));
    Files.writeString(disk.directory().resolve("a/b/file"), "x");
    assertEquals(DeviceNumber.diskOf(parent), disk.device());
    disk.close();
    assertFalse(Files.exists(disk.directory()));
    disk.close();
  }

  @Test
  void isFoundAndRemovedByName() throws IOException {
    Path directory = DiskKind.DIR.create(parent, "disk", 0).directory();
    assertEquals(directory, DiskKind.DIR.open(parent, "disk").directory());
    DiskKind.DIR.remove(parent, "disk");
    assertFalse(Files.exists(directory));
    DiskKind.DIR.remove(parent, "disk");
    assertThrows(IOException.class, () -> DiskKind.DIR.open(parent, "disk"));
  }

  @Test
  void deletesSymbolicLinksAndNotWhatTheyLeadTo() throws IOException {
    Path kept = Files.writeString(parent.resolve("kept"), "x");
    Disk disk = DiskKind.DIR.create(parent, "disk", 0);
    Files.createSymbolicLink(disk.directory().resolve("link"), kept);
    Files.createSymbolicLink(disk.directory().resolve("dangling"), parent.resolve("nothing"));
    disk.close();
    assertTrue(Files.exists(kept));
  }
}
