// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/** A block device's number, major and minor; immutable. */
public final class DeviceNumber {

  private final int major;
  private final int minor;

  /** The device with that major and minor number. */
  public DeviceNumber(int major, int minor) {
    this.major = major;
    this.minor = minor;
  }

  /**
   * Reads {@code major:minor}, as sysfs writes it.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static DeviceNumber parse(String text) {
    int colon = text.indexOf(':');
    try {
      return new DeviceNumber(
          Integer.parseInt(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IllegalArgumentException("\"" + text + "\" is not a device number MAJOR:MINOR", e);
    }
  }

  /** The number of a block device's node, such as {@code /dev/loop0}. */
  public static DeviceNumber ofNode(Path node) throws IOException {
    return fromStat((Long) Files.getAttribute(node, "unix:rdev"));
  }

  /**
   * The disk a file system's requests reach the block layer with: the whole disk where the file
   * system is on a partition. Empty where there is no block device below (tmpfs, overlay, NFS,
   * btrfs).
   *
   * @param path a file or directory of the file system
   */
  public static Optional<DeviceNumber> diskOf(Path path) throws IOException {
    DeviceNumber device = fromStat((Long) Files.getAttribute(path, "unix:dev"));
    Path sysfs = Path.of("/sys/dev/block", device.toString());
    if (!Files.exists(sysfs)) {
      return Optional.empty();
    }
    if (!Files.exists(sysfs.resolve("partition"))) {
      return Optional.of(device);
    }
    Path disk = sysfs.toRealPath().getParent();
    return Optional.of(parse(Files.readString(disk.resolve("dev")).strip()));
  }

  /** Takes a dev_t as stat(2) gives it apart (gnu_dev_major and gnu_dev_minor of glibc). */
  static DeviceNumber fromStat(long dev) {
    long major = (dev >>> 8 & 0xfff) | (dev >>> 32 & 0xfffff000L);
    long minor = (dev & 0xff) | (dev >>> 12 & 0xffffff00L);
    return new DeviceNumber((int) major, (int) minor);
  }

  /** The major number. */
  public int major() {
    return major;
  }

  /** The minor number. */
  public int minor() {
    return minor;
  }

  /** The kernel's own dev_t, {@code major << 20 | minor}, as trace event filters compare it. */
  public long kernelValue() {
    return (long) major << 20 | minor;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DeviceNumber
        && ((DeviceNumber) other).major == major
        && ((DeviceNumber) other).minor == minor;
  }

  @Override
  public int hashCode() {
    return Objects.hash(major, minor);
  }

  /** {@code major:minor}, which {@link #parse} reads back. */
  @Override
  public String toString() {
    return major + ":" + minor;
  }
}
