// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.progress.Pauses;

/**
 * A virtual hard disk with ext4 on it. Needs root and as much memory as is written to it.
 *
 * <p>It is found by the directory's path alone, so a run that was killed can be cleaned up by
 * another process.
 */
public final class VirtualDisk extends DeviceDisk {

  /** The drive that all use that ask for no other. */
  public static final Drive DRIVE = Drive.SDC21;

  /** Its preset. */
  public static final String PRESET = DRIVE.preset();

  private static final long DRAIN_TIMEOUT_MS = 60_000;

  private final Vhdd vhdd;

  private VirtualDisk(Path directory, Vhdd vhdd, Path node) throws IOException {
    super(directory, node);
    this.vhdd = vhdd;
  }

  /**
   * Makes a disk.
   *
   * @param drive parameters of the drive, in place of the preset's
   */
  static VirtualDisk create(Path directory, DiskSettings settings, Map<String, String> drive)
      throws IOException {
    return make(() -> createParts(directory, settings, drive), () -> remove(directory));
  }

  private static VirtualDisk createParts(
      Path directory, DiskSettings settings, Map<String, String> drive) throws IOException {
    Vhdd vhdd = Vhdd.of(directory);
    ReadAhead readAhead = settings.readAhead().orElseGet(ReadAhead::byDefault);
    Path node = vhdd.create(settings.bytes(), settings.drive().preset(), readAhead, drive);
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

  /** Something that reads or writes. */
  @FunctionalInterface
  public interface Work {
    void run() throws IOException;
  }

  /**
   * Does work while virtual disks answer without delay. Afterwards nothing is in the page cache,
   * and the disks have nothing to do: their clocks must not start over old requests.
   *
   * @param disks of any kinds; the others are only taken out of the page cache
   */
  public static void fast(List<Disk> disks, Work work) throws IOException {
    for (Disk disk : disks) {
      if (disk instanceof VirtualDisk) {
        ((VirtualDisk) disk).vhdd.loading(true);
      }
    }
    work.run();
    for (Disk disk : disks) {
      disk.evictPageCache();
      if (disk instanceof VirtualDisk) {
        ((VirtualDisk) disk).drain();
        ((VirtualDisk) disk).vhdd.loading(false);
      }
    }
  }

  private void drain() throws IOException {
    Path inflight = Path.of("/sys/dev/block", device().orElseThrow().toString(), "inflight");
    Pauses.await(
        "the end of all requests to " + description(),
        DRAIN_TIMEOUT_MS,
        () -> Files.readString(inflight).strip().matches("0\\s+0"));
  }

  /** The drive's controls. */
  public Vhdd vhdd() {
    return vhdd;
  }

  @Override
  String kind() {
    return "virtual hard disk in memory";
  }

  @Override
  public void close() throws IOException {
    remove(directory());
  }
}
