// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.tools.trace.DeviceNumber;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopDiskIT {

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
      assertFalse(Files.exists(parent.resolve(NAME + ".img")));
    }
  }

  @Test
  void isADiskOfItsOwnWithTheSettingsOfAHardDisk() throws IOException {
    try (Disk disk = DiskKind.LOOP.create(parent, NAME, BYTES)) {
      Files.writeString(disk.directory().resolve("file"), "x");
      DeviceNumber device = disk.device().orElseThrow();
      assertEquals(7, device.major());
      assertEquals(DeviceNumber.diskOf(disk.directory().resolve("file")), disk.device());
      Path queue = Path.of("/sys/dev/block", device.toString(), "queue");
      assertTrue(Files.readString(queue.resolve("scheduler")).contains("[mq-deadline]"));
      int readAhead = ReadAhead.given().orElse(ReadAhead.OLD).kib();
      assertEquals(
          Integer.toString(readAhead), Files.readString(queue.resolve("read_ahead_kb")).strip());
      assertTrue(
          Files.readAllLines(Path.of("/proc/self/mounts")).stream()
              .anyMatch(m -> m.contains(disk.directory().toString()) && m.contains("noatime")));
    }
  }

  @Test
  void isGoneAfterClosingAndStaysSo() throws IOException {
    Disk disk = DiskKind.LOOP.create(parent, NAME, BYTES);
    disk.close();
    assertFalse(Files.exists(disk.directory()));
    disk.close();
    DiskKind.LOOP.remove(parent, NAME);
  }

  @Test
  void isFoundAndRemovedByNameAlone() throws IOException {
    Disk made = DiskKind.LOOP.create(parent, NAME, BYTES);
    assertEquals(made.device(), DiskKind.LOOP.open(parent, NAME).device());
    DiskKind.LOOP.remove(parent, NAME);
    assertThrows(IOException.class, () -> DiskKind.LOOP.open(parent, NAME));
  }

  @Test
  void isRemovedWhenItWasMadeOnlyInPart() throws IOException {
    Path image = parent.resolve(NAME + ".img");
    Files.createDirectory(parent.resolve(NAME));
    Files.write(image, new byte[1 << 20]);
    SystemCommand.run("losetup", "--find", image.toString());
    DiskKind.LOOP.remove(parent, NAME);
  }

  @Test
  void isRemovedAfterAnOpenFileIsClosed() throws IOException {
    Disk disk = DiskKind.LOOP.create(parent, NAME, BYTES);
    Path file = Files.writeString(disk.directory().resolve("file"), "x");
    Process holder = new ProcessBuilder("sleep", "1").redirectInput(file.toFile()).start();
    disk.close();
    assertFalse(holder.isAlive());
  }

  @Test
  void leavesNothingWhenItCannotBeMade() {
    // ext4 does not fit.
    assertThrows(IOException.class, () -> DiskKind.LOOP.create(parent, NAME, 4096));
  }

  @Test
  void evictsItsFilesFromThePageCache() throws IOException {
    int bytes = 1 << 20;
    try (Disk disk = DiskKind.LOOP.create(parent, NAME, BYTES)) {
      Path file = Files.write(disk.directory().resolve("file"), new byte[bytes]);
      long before = bytesRead(disk);
      Files.readAllBytes(file);
      assertTrue(bytesRead(disk) - before < bytes, "a file just written is in the page cache");
      disk.evictPageCache();
      before = bytesRead(disk);
      Files.readAllBytes(file);
      assertTrue(bytesRead(disk) - before >= bytes, "the file was still in the page cache");
    }
  }

  private static long bytesRead(Disk disk) throws IOException {
    String device = disk.device().orElseThrow().toString();
    String stat = Files.readString(Path.of("/sys/dev/block", device, "stat"));
    return 512 * Long.parseLong(stat.strip().split(" +", -1)[2]);
  }
}
