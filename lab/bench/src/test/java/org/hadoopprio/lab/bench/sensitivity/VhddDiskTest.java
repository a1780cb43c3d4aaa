// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.simulation.SimulatedDisk;
import org.junit.jupiter.api.Test;

class VhddDiskTest {

  /** Answers the last read after 5 ns and then none; refuses a priority that it does not know. */
  private static final String DRIVE =
      "while read -r what a b c d; do"
          + " if [ $what = r ]; then [ $d = rt:0 ] || { echo \"line 1: $d\" >&2; exit 1; }; n=$a;"
          + " elif [ \"$n\" ]; then echo \"a $n 5\"; n=;"
          + " else echo \"t $a\"; fi; done";

  private static VhddDisk disk() throws IOException {
    return new VhddDisk(List.of("sh", "-c", DRIVE), 1 << 20);
  }

  @Test
  void itsClockAndItsAnswersAreThoseOfTheProgram() throws IOException {
    try (VhddDisk disk = disk()) {
      SimulatedDisk.Request read =
          new SimulatedDisk.Request(4096, 57344, DiskClass.REALTIME, false, 0);
      assertEquals(Optional.empty(), disk.run(3));
      assertEquals(3, disk.now());
      disk.read(read);
      assertSame(read, disk.run(1000).orElseThrow());
      assertEquals(5, disk.now());
      assertEquals(Optional.empty(), disk.run(1000));
      assertEquals(1000, disk.now());
    }
  }

  @Test
  void whatTheProgramSaysOfItsEndIsTold() throws IOException {
    try (VhddDisk disk = disk()) {
      disk.read(new SimulatedDisk.Request(0, 4096, DiskClass.IDLE, true, 0));
      UncheckedIOException e = assertThrows(UncheckedIOException.class, () -> disk.run(9));
      assertTrue(e.getMessage().endsWith("line 1: idle"), e.getMessage());
    }
  }
}
