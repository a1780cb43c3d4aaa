// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceNumberTest {

  @Test
  void takesStatNumbersApart() {
    assertEquals(new DeviceNumber(8, 1), DeviceNumber.fromStat(0x801));
    assertEquals(new DeviceNumber(259, 3), DeviceNumber.fromStat(0x10303));
    assertEquals(new DeviceNumber(7, 0x12345), DeviceNumber.fromStat(0x12300745L));
    assertEquals(new DeviceNumber(0x1fff, 1), DeviceNumber.fromStat(0x1000000fff01L));
  }

  @Test
  void hasTheKernelsForm() {
    assertEquals(7340032, new DeviceNumber(7, 0).kernelValue());
    assertEquals((259L << 20) + 3, new DeviceNumber(259, 3).kernelValue());
  }

  @Test
  void readsWhatItWrites() {
    DeviceNumber device = new DeviceNumber(259, 3);
    assertEquals("259:3", device.toString());
    assertEquals(device, DeviceNumber.parse("259:3"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "7", "7:", ":0", "a:b", "7:0:0"})
  void refusesOtherText(String text) {
    assertThrows(IllegalArgumentException.class, () -> DeviceNumber.parse(text));
  }

  @Test
  void findsNoDiskBelowProc() throws IOException {
    assertEquals(Optional.empty(), DeviceNumber.diskOf(Path.of("/proc")));
  }

  @Test
  void findsTheWholeDiskOfADirectory() throws IOException {
    Optional<DeviceNumber> disk = DeviceNumber.diskOf(Path.of("/"));
    if (disk.isPresent()) {
      Path sysfs = Path.of("/sys/dev/block", disk.get().toString());
      assertTrue(Files.exists(sysfs.resolve("queue")), sysfs + " is not a whole disk");
    }
  }
}
