// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a block device is made of, as sysfs shows it, and how many heads can read for it at the same
 * time. Immutable.
 *
 * <p>sysfs names the parts of a device-mapper device, but not what it does with them. Several parts
 * count as several only where that is known: RAID that spreads reads over its members. All else may
 * be a concatenation, in which a file lies on one part, or a cache with what it caches: it has the
 * heads of one part. Too few heads cost throughput of streams, too many cost all of them seeks.
 */
final class BlockStack {

  /** Levels of md that spread reads over all members (Documentation/admin-guide/md.rst). */
  private static final Set<String> SPREADING =
      Set.of("raid0", "raid1", "raid4", "raid5", "raid6", "raid10");

  private final Path device;
  private final List<BlockStack> parts = new ArrayList<>();

  /**
   * Describes a device.
   *
   * @param device its directory in sysfs, a whole device and no link
   */
  BlockStack(Path device) throws IOException {
    this.device = device;
    if (!isMultipath()) {
      for (Path slave : slaves(device)) {
        if (!isSpare(slave.getFileName().toString())) {
          parts.add(new BlockStack(whole(slave)));
        }
      }
    }
  }

  /** The whole device of one, as a path without links: partitions share the disk's time. */
  static Path whole(Path device) throws IOException {
    Path real = device.toRealPath();
    return Files.exists(real.resolve("partition")) ? real.getParent() : real;
  }

  static List<Path> slaves(Path device) throws IOException {
    return list(device.resolve("slaves"));
  }

  private static List<Path> list(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.sorted().collect(Collectors.toList());
    }
  }

  private String read(String attribute) {
    return BlockDevice.read(device.resolve(attribute));
  }

  /** The devices below it are several ways to one disk. */
  private boolean isMultipath() {
    return read("dm/uuid").startsWith("mpath-");
  }

  /** Whether a member of an md array takes no part in reads. */
  private boolean isSpare(String member) {
    String state = read("md/dev-" + member + "/state");
    return state.contains("spare") || state.contains("faulty") || state.contains("journal");
  }

  /** The kernel says of it that it does not rotate, whatever is behind its cache. */
  private boolean isBcache() {
    return !parts.isEmpty() && Files.exists(device.resolve("bcache"));
  }

  /** Of what lies on it the kernel says the same. */
  private boolean hasBcache() {
    return isBcache() || parts.stream().anyMatch(BlockStack::hasBcache);
  }

  private boolean isLvmImage() {
    return read("dm/name").matches(".*_[rm]image_\\d+");
  }

  /** Whether it rotates; see {@link BlockDevice#isRotational}. */
  boolean isRotational() {
    return hasBcache()
        ? parts.stream().anyMatch(BlockStack::isRotational)
        : !read("queue/rotational").equals("0");
  }

  /**
   * The disks it is made of, or itself; those that rotate if any does, because a cache in front of
   * them is not what streams wait for.
   */
  Set<Path> disks() {
    if (parts.isEmpty()) {
      return Set.of(device);
    }
    Set<Path> disks = new HashSet<>();
    rotating(parts).forEach(part -> disks.addAll(part.disks()));
    return disks;
  }

  /** All devices below it. */
  Set<Path> below() {
    Set<Path> all = new HashSet<>();
    for (BlockStack part : parts) {
      all.add(part.device);
      all.addAll(part.below());
    }
    return all;
  }

  private static List<BlockStack> rotating(List<BlockStack> among) {
    List<BlockStack> rotating =
        among.stream().filter(BlockStack::isRotational).collect(Collectors.toList());
    return rotating.isEmpty() ? among : rotating;
  }

  /** How many reads it can serve at the same time without a seek between them; at least 1. */
  int heads() {
    return headsOfDisks().values().stream().mapToInt(Integer::intValue).sum();
  }

  private Map<Path, Integer> headsOfDisks() {
    if (parts.isEmpty()) {
      return Map.of(device, actuators());
    }
    if (spreading().isEmpty()) {
      return largest().headsOfDisks();
    }
    Map<Path, Integer> all = new HashMap<>();
    spreading().forEach(part -> all.putAll(part.headsOfDisks()));
    return all;
  }

  /** The parts over which it is known to spread reads; none if it is not known to. */
  private List<BlockStack> spreading() {
    return SPREADING.contains(read("md/level"))
        ? parts
        : parts.stream().filter(BlockStack::isLvmImage).collect(Collectors.toList());
  }

  private BlockStack largest() {
    return rotating(parts).stream().max(Comparator.comparingInt(BlockStack::heads)).orElseThrow();
  }

  /** A disk with several actuators has a range of addresses for each. */
  private int actuators() {
    try {
      return Math.max(1, list(device.resolve("queue/independent_access_ranges")).size());
    } catch (IOException e) {
      return 1;
    }
  }

  /** For the operator: what it was found to be, such as {@code raid5 of 3 disks}. */
  String layout() {
    if (parts.isEmpty()) {
      String disk = isMultipath() ? "a multipath disk" : "a disk";
      return actuators() == 1 ? disk : disk + " with " + actuators() + " actuators";
    }
    if (!spreading().isEmpty()) {
      String level = read("md/level");
      return (level.isEmpty() ? "LVM RAID" : level) + " of " + counted(headsOfDisks().size());
    }
    if (isBcache()) {
      return "bcache over " + largest().layout();
    }
    return disks().size() == largest().disks().size()
        ? largest().layout()
        : counted(disks().size()) + ", not known to be read at the same time";
  }

  private static String counted(int disks) {
    return disks + (disks == 1 ? " disk" : " disks");
  }
}
