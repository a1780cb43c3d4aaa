// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Its queue is that of a SATA disk, whoever changes the scheduler. */
class VirtualDiskIT {

  private static final String NAME = "disk";
  private static final DiskSettings SETTINGS = DiskSettings.of(256 << 20);

  @TempDir Path parent;

  @BeforeEach
  void needsVirtualDisks() {
    Need.VIRTUAL_DISK.require(Vhdd.unavailable());
  }

  private static String setting(Disk disk, String name) throws IOException {
    Path queue = Path.of("/sys/dev/block", disk.device().orElseThrow().toString(), "queue");
    Path file = queue.resolve(name);
    return Files.readString(Files.exists(file) ? file : queue.resolve("iosched").resolve(name))
        .strip();
  }

  @Test
  void itsRequestsAreThoseOfASataDiskWithEachScheduler() throws IOException {
    try (VirtualDisk disk = (VirtualDisk) DiskKind.VIRTUAL.create(parent, NAME, SETTINGS)) {
      assertEquals("64", setting(disk, "nr_requests"));
      String asyncDepth = setting(disk, "async_depth");
      // All of them since Linux 6.9, before three quarters.
      assertTrue(asyncDepth.matches("64|48"), asyncDepth);

      RequestQueue queue = disk.vhdd().queue();
      queue.scheduler("none");
      assertEquals("32", setting(disk, "nr_requests"));
      queue.scheduler(RequestQueue.MQ_DEADLINE);
      assertEquals("64", setting(disk, "nr_requests"));
      assertEquals(asyncDepth, setting(disk, "async_depth"));

      queue.asyncDepth(4);
      assertEquals("4", setting(disk, "async_depth"));
    }
  }

  @Test
  void itIsTheDriveThatIsAskedFor() throws IOException {
    try (VirtualDisk disk =
        (VirtualDisk) DiskKind.VIRTUAL.create(parent, NAME, SETTINGS.withDrive(Drive.CDLTOOLS23))) {
      assertEquals(14_000_000, disk.vhdd().stats().at("/parameters/seek_max_ns").asLong());
    }
  }

  @Test
  void itsReadAheadIsThatOfTheKernelUnlessAnotherIsGiven() throws IOException {
    try (Disk disk = DiskKind.VIRTUAL.create(parent, NAME, SETTINGS)) {
      assertEquals(Integer.toString(ReadAhead.byDefault().kib()), setting(disk, ReadAhead.SETTING));
    }
    for (ReadAhead given : new ReadAhead[] {new ReadAhead(0), ReadAhead.OLD, ReadAhead.NEW}) {
      try (Disk disk =
          DiskKind.VIRTUAL_WRITE_THROUGH.create(parent, NAME, SETTINGS.withReadAhead(given))) {
        assertEquals(Integer.toString(given.kib()), setting(disk, ReadAhead.SETTING));
      }
    }
  }
}
