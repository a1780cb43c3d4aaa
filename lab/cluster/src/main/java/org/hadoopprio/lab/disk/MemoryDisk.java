// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.hadoopprio.doctor.trace.DeviceNumber;

/**
 * A {@link LoopDisk} whose image is in memory: as fast as this machine's fastest drive could be,
 * and no drive that rotates to the kernel. Needs root and as much memory as is written to it.
 *
 * <p>It is found by the directory's path alone, as a loop disk is.
 */
final class MemoryDisk implements Disk {

  /** What a tmpfs needs beside the image. */
  private static final long SPARE_BYTES = 1 << 20;

  private final LoopDisk loop;
  private final Path memory;

  private MemoryDisk(LoopDisk loop, Path memory) {
    this.loop = loop;
    this.memory = memory;
  }

  /**
   * Makes the disk; after a failure nothing is left.
   *
   * @param memory the directory to mount the image's tmpfs on
   * @param directory where the disk's own file system is mounted
   */
  static MemoryDisk create(Path memory, Path directory, DiskSettings settings) throws IOException {
    return DeviceDisk.make(
        () -> createParts(memory, directory, settings), () -> remove(memory, directory));
  }

  private static MemoryDisk createParts(Path memory, Path directory, DiskSettings settings)
      throws IOException {
    Files.createDirectories(memory);
    SystemCommand.run(
        "mount",
        "-t",
        "tmpfs",
        "-o",
        "mode=0700,size=" + (settings.bytes() + SPARE_BYTES),
        "tmpfs",
        memory.toString());
    return new MemoryDisk(LoopDisk.create(image(memory), directory, settings), memory);
  }

  /** The disk that another process made. */
  static MemoryDisk open(Path memory, Path directory) throws IOException {
    return new MemoryDisk(LoopDisk.open(image(memory), directory), memory);
  }

  /** Removes all parts of a disk that exist. */
  static void remove(Path memory, Path directory) throws IOException {
    LoopDisk.remove(image(memory), directory);
    Ext4.unmount(memory);
    Files.deleteIfExists(memory);
  }

  private static Path image(Path memory) {
    return memory.resolve("disk.img");
  }

  @Override
  public Path directory() {
    return loop.directory();
  }

  @Override
  public Optional<DeviceNumber> device() {
    return loop.device();
  }

  @Override
  public String description() {
    return loop.description() + " in memory";
  }

  @Override
  public void evictPageCache() throws IOException {
    loop.evictPageCache();
  }

  @Override
  public void close() throws IOException {
    remove(memory, loop.directory());
  }
}
