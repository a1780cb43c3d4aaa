// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A virtual hard disk with ext4 on it. Needs root and as much memory as is written to it.
 *
 * <p>It is found by the directory's path alone, so a run that was killed can be cleaned up by
 * another process.
 */
public final class VirtualDisk extends DeviceDisk {

  /** The drive that all experiments use, calibrated against the tables of SDC 2021. */
  public static final String PRESET = "sdc21";

  private final Vhdd vhdd;

  private VirtualDisk(Path directory, Vhdd vhdd, Path node) throws IOException {
    super(directory, node);
    this.vhdd = vhdd;
  }

  /**
   * Makes a disk.
   *
   * @param settings of the drive, in place of the preset's
   */
  static VirtualDisk create(Path directory, long bytes, Map<String, String> settings)
      throws IOException {
    return make(() -> createParts(directory, bytes, settings), () -> remove(directory));
  }

  private static VirtualDisk createParts(Path directory, long bytes, Map<String, String> settings)
      throws IOException {
    Vhdd vhdd = Vhdd.of(directory);
    Path node = vhdd.create(bytes, PRESET, settings);
    VirtualDisk disk = new VirtualDisk(directory, vhdd, node);
    vhdd.loading(true);
    Ext4.make(node, directory, Ext4.singlePages());
    vhdd.loading(false);
    return disk;
  }

  static VirtualDisk open(Path directory) throws IOException {
    Vhdd vhdd = Vhdd.of(directory);
    Path node =
        vhdd.device()
            .orElseThrow(() -> new IOException("there is no virtual disk for " + directory));
    return new VirtualDisk(directory, vhdd, node);
  }

  static void remove(Path directory) throws IOException {
    Ext4.unmount(directory);
    Vhdd.of(directory).destroy();
    Files.deleteIfExists(directory);
  }

  /** The drive's controls. */
  public Vhdd vhdd() {
    return vhdd;
  }

  @Override
  String kind() {
    return "virtual hard disk " + PRESET + " in memory";
  }

  @Override
  public void close() throws IOException {
    remove(directory());
  }
}
