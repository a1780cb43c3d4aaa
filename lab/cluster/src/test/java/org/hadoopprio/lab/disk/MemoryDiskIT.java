// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryDiskIT {

  private static final String NAME = "disk";
  private static final long BYTES = 64 << 20;

  @TempDir Path parent;

  @BeforeEach
  void needsRoot() {
    Need.ROOT.require(Privileges.isRoot(), "");
  }

  @AfterEach
  void leavesNothing() throws IOException {
    if (Privileges.isRoot()) {
      assertFalse(Files.readString(Path.of("/proc/self/mounts")).contains(parent.toString()));
      assertFalse(SystemCommand.run("losetup", "--all").contains(parent.toString()));
      try (var left = Files.list(parent)) {
        assertEquals(0, left.count());
      }
    }
  }

  @Test
  void isNoDiskThatRotatesAndIsRemovedByNameAlone() throws IOException {
    Disk made = DiskKind.MEMORY.create(parent, NAME, BYTES);
    Files.writeString(made.directory().resolve("file"), "x");
    Path device = Path.of("/sys/dev/block", made.device().orElseThrow().toString());
    assertEquals("0", Files.readString(device.resolve("queue/rotational")).strip());
    assertEquals(made.device(), DiskKind.MEMORY.open(parent, NAME).device());
    DiskKind.MEMORY.remove(parent, NAME);
    made.close();
    assertThrows(IOException.class, () -> DiskKind.MEMORY.open(parent, NAME));
  }

  @Test
  void leavesNothingWhenItCannotBeMade() {
    // ext4 does not fit.
    assertThrows(IOException.class, () -> DiskKind.MEMORY.create(parent, NAME, 4096));
  }
}
