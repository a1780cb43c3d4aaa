// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.tools.trace.DeviceNumber;

/** A disk with a block device of its own and a file system on it. */
abstract class DeviceDisk implements Disk {

  private final Path directory;
  private final Path node;
  private final DeviceNumber device;

  /**
   * A disk that exists.
   *
   * @param directory where its file system is mounted
   * @param node the block device
   */
  DeviceDisk(Path directory, Path node) throws IOException {
    this.directory = directory;
    this.node = node;
    this.device = DeviceNumber.ofNode(node);
  }

  /** Makes a disk. */
  @FunctionalInterface
  interface Making<D extends Disk> {
    D make() throws IOException;
  }

  /** Removes what there is of a disk. */
  @FunctionalInterface
  interface Removal {
    void remove() throws IOException;
  }

  /** Makes a disk; after a failure nothing is left of it. */
  static <D extends Disk> D make(Making<D> making, Removal removal) throws IOException {
    try {
      return making.make();
    } catch (IOException | RuntimeException e) {
      try {
        removal.remove();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** The block device. */
  final Path node() {
    return node;
  }

  @Override
  public Path directory() {
    return directory;
  }

  @Override
  public Optional<DeviceNumber> device() {
    return Optional.of(device);
  }

  @Override
  public String description() {
    return "ext4 on " + node + " (" + device + "), " + kind();
  }

  /** What its device is, for people. */
  abstract String kind();

  @Override
  public void evictPageCache() throws IOException {
    PageEviction.evict(directory);
  }

  /**
   * Makes the next opening of each file of this disk read its directory and inode from the device.
   * The inodes that nobody has open leave the memory of the whole machine. Data that waits to be
   * written goes on waiting: {@code blockdev --flushbufs} would write all of it.
   */
  public void evictInodes() throws IOException {
    Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "2");
    PageEviction.evict(List.of(node));
  }
}
