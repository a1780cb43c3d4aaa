// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hadoopprio.linux.BlockDevice;

/**
 * A whole block device as the examined host's sysfs shows it
 * (Documentation/ABI/stable/sysfs-block). Immutable.
 */
public final class SysfsDevice {

  private static final Pattern ACTIVE = Pattern.compile("\\[([^\\]]+)\\]");

  private final Path directory;

  private SysfsDevice(Path directory) {
    this.directory = directory;
  }

  /**
   * The device that holds a file system; the whole disk if the file system is on a partition.
   *
   * @return empty if no block device holds it
   */
  public static Optional<SysfsDevice> of(Host host, Mount mount) {
    Optional<SysfsDevice> byNumber = at(host.path("/sys/dev/block/" + mount.device()));
    // Btrfs uses device numbers of its own.
    return byNumber.isPresent() || !mount.source().startsWith("/dev/")
        ? byNumber
        : at(host.path("/sys/class/block/" + Path.of(host.real(mount.source())).getFileName()));
  }

  private static Optional<SysfsDevice> at(Path sysfs) {
    try {
      Path real = sysfs.toRealPath();
      return Optional.of(
          new SysfsDevice(Files.exists(real.resolve("partition")) ? real.getParent() : real));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What the DataNode's scheduler finds it to be; empty if it has gone meanwhile. */
  public Optional<BlockDevice> found() {
    try {
      return Optional.of(BlockDevice.at(directory));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Its name, such as {@code sda}. */
  public String name() {
    return directory.getFileName().toString();
  }

  /** The content of one of its files, such as {@code queue/scheduler}. */
  public Optional<String> read(String file) {
    return Host.read(directory.resolve(file));
  }

  /** The names in one of its directories, such as {@code mq}; empty if there is none. */
  public List<String> list(String name) {
    return Host.list(directory.resolve(name));
  }

  /** The I/O scheduler in force; empty if sysfs does not show it. */
  public String scheduler() {
    String offered = read("queue/scheduler").orElse("");
    Matcher matcher = ACTIVE.matcher(offered);
    return matcher.find() ? matcher.group(1) : offered;
  }

  /** Whether LVM has made it, as a volume or as a part of one. */
  public boolean isLogicalVolume() {
    return read("dm/uuid").orElse("").startsWith("LVM-");
  }

  /** Whether it stores its data in memory. */
  public boolean isMemory() {
    return name().matches("(zram|ram)\\d+");
  }

  /**
   * The devices that it is made of; none if it is a disk. Those below a multipath device are
   * several ways to one disk, so that it counts as the disk.
   */
  public List<SysfsDevice> parts() {
    List<SysfsDevice> parts = new ArrayList<>();
    if (!read("dm/uuid").orElse("").startsWith("mpath-")) {
      for (String slave : Host.list(directory.resolve("slaves"))) {
        at(directory.resolve("slaves").resolve(slave)).ifPresent(parts::add);
      }
    }
    return parts;
  }

  /** It and all devices below it, a device before its parts; a part of two is there twice. */
  public List<SysfsDevice> stack() {
    List<SysfsDevice> all = new ArrayList<>(List.of(this));
    parts().forEach(part -> all.addAll(part.stack()));
    return all;
  }

  /** The disks it is made of; itself if it is a disk. */
  public List<SysfsDevice> disks() {
    return stack().stream().filter(d -> d.parts().isEmpty()).collect(Collectors.toList());
  }
}
