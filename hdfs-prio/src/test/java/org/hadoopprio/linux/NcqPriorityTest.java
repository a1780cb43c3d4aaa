// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NcqPriorityTest {

  /** Stands for {@code /sys/block/sda}. */
  @TempDir Path disk;

  private void put(String attribute, String content) throws IOException {
    Path file = disk.resolve(attribute);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  private NcqPriority priority() {
    return NcqPriority.of(
        attribute -> {
          try {
            return Optional.of(Files.readString(disk.resolve(attribute)));
          } catch (IOException e) {
            return Optional.empty();
          }
        });
  }

  private void expect(Boolean supported, Boolean enabled, String enableFile) {
    NcqPriority priority = priority();
    assertEquals(Optional.ofNullable(supported), priority.isSupported());
    assertEquals(Optional.ofNullable(enabled), priority.isEnabled());
    assertEquals(enableFile, priority.enableFile());
  }

  @Test
  void libata() throws IOException {
    put("device/ncq_prio_supported", "1\n");
    put("device/ncq_prio_enable", "0\n");
    expect(true, false, "device/ncq_prio_enable");
  }

  @Test
  void aSasHba() throws IOException {
    put("device/sas_ncq_prio_supported", "1\n");
    put("device/sas_ncq_prio_enable", "1\n");
    expect(true, true, "device/sas_ncq_prio_enable");
  }

  @Test
  void aKernelBefore515() throws IOException {
    put("device/ncq_prio_enable", "0\n");
    expect(null, false, "device/ncq_prio_enable");
  }

  @Test
  void anotherDisk() {
    expect(null, null, "device/ncq_prio_enable");
  }
}
