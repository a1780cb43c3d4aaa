package org.hadoopprio.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A whole block device as sysfs shows it (Documentation/ABI/stable/sysfs-block). Immutable. */
final class BlockDevice {

  private final Path directory;

  private BlockDevice(Path directory) {
    this.directory = directory;
  }

  /**
   * The device that holds a file system; the whole disk if the file system is on a partition.
   *
   * @return empty if no block device holds it
   */
  static Optional<BlockDevice> of(Host host, Mount mount) {
    Optional<BlockDevice> byNumber = at(host.path("/sys/dev/block/" + mount.device()));
    // Btrfs uses device numbers of its own.
    return byNumber.isPresent() || !mount.source().startsWith("/dev/")
        ? byNumber
        : at(host.path("/sys/class/block/" + Path.of(host.real(mount.source())).getFileName()));
  }

  private static Optional<BlockDevice> at(Path sysfs) {
    try {
      Path real = sysfs.toRealPath();
      return Optional.of(
          new BlockDevice(Files.exists(real.resolve("partition")) ? real.getParent() : real));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Its name, such as {@code sda}. */
  String name() {
    return directory.getFileName().toString();
  }

  /** The content of one of its files, such as {@code queue/scheduler}. */
  Optional<String> read(String file) {
    return Host.read(directory.resolve(file));
  }

  /** What kind of device it is if it is made of other devices; empty for a disk. */
  String layer() {
    if (name().startsWith("loop")) {
      return "a loop device over " + read("loop/backing_file").orElse("a file");
    }
    Optional<String> raid = read("md/level");
    if (raid.isPresent()) {
      return "a software RAID (" + raid.get() + ")";
    }
    Optional<String> mapper = read("dm/uuid");
    if (mapper.isEmpty()) {
      return "";
    }
    String what = read("dm/name").orElse(name());
    if (mapper.get().startsWith("LVM-")) {
      return "LVM volume " + what;
    }
    if (mapper.get().startsWith("CRYPT-")) {
      return "encrypted device " + what;
    }
    return "device mapper device " + what;
  }

  /** Whether it stores its data in memory. */
  boolean isMemory() {
    return name().matches("(zram|ram)\\d+");
  }

  /** The disks it is made of; itself if it is a disk. */
  List<BlockDevice> disks() {
    List<BlockDevice> disks = new ArrayList<>();
    for (String slave : Host.list(directory.resolve("slaves"))) {
      at(directory.resolve("slaves").resolve(slave)).ifPresent(d -> disks.addAll(d.disks()));
    }
    if (disks.isEmpty()) {
      disks.add(this);
    }
    return disks;
  }
}
