// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The block device below a directory, as sysfs shows it (Documentation/ABI/stable/sysfs-block): the
 * whole device if the file system is on a partition, because partitions share the disk's time. The
 * facts are those of the moment when it was found; only {@link #inFlight} reads anew. Thread-safe.
 */
public final class BlockDevice {

  private static final Pattern TWO_NUMBERS = Pattern.compile("(\\d+)\\s+(\\d+)");

  private final Path sysfs;
  private final boolean rotational;
  private final boolean stacked;
  private final Set<Path> leaves = new HashSet<>();

  private BlockDevice(Path sysfs) throws IOException {
    addLeaves(sysfs, leaves);
    this.sysfs = sysfs;
    this.rotational = !read(sysfs.resolve("queue/rotational")).equals("0");
    this.stacked = !slaves(sysfs).isEmpty();
  }

  /**
   * The device of the file system that holds a directory.
   *
   * @throws FileSystemException if there is none (tmpfs, overlay, network file systems; Btrfs,
   *     whose device numbers are its own) or sysfs does not show it; the {@linkplain
   *     FileSystemException#getReason reason} is a text for the operator
   */
  public static BlockDevice of(Path directory) throws FileSystemException {
    String reason;
    IOException cause = null;
    try {
      long number = (Long) Files.getAttribute(directory, "unix:dev");
      if (major(number) != 0) {
        return at(Path.of("/sys"), major(number) + ":" + minor(number));
      }
      reason = "on " + Files.getFileStore(directory).type() + ", without a block device of its own";
    } catch (IOException e) {
      reason = "its block device cannot be examined (" + e + ")";
      cause = e;
    }
    FileSystemException none = new FileSystemException(directory.toString(), null, reason);
    none.initCause(cause);
    throw none;
  }

  /** The device of a number; tests pass a tree of their own instead of {@code /sys}. */
  static BlockDevice at(Path sys, String number) throws IOException {
    return new BlockDevice(whole(sys.resolve("dev/block").resolve(number)));
  }

  /** stat(2)'s dev_t is taken apart as glibc's gnu_dev_major does. */
  static long major(long device) {
    return (device >>> 8 & 0xfff) | (device >>> 32 & 0xfffff000L);
  }

  /** As glibc's gnu_dev_minor. */
  static long minor(long device) {
    return (device & 0xff) | (device >>> 12 & 0xffffff00L);
  }

  private static Path whole(Path device) throws IOException {
    Path real = device.toRealPath();
    return Files.exists(real.resolve("partition")) ? real.getParent() : real;
  }

  private static List<Path> slaves(Path device) throws IOException {
    Path directory = device.resolve("slaves");
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> slaves = Files.list(directory)) {
      return slaves.collect(Collectors.toList());
    }
  }

  private static void addLeaves(Path device, Set<Path> leaves) throws IOException {
    List<Path> slaves = slaves(device);
    // The devices below a multipath device are several ways to one disk.
    if (slaves.isEmpty() || read(device.resolve("dm/uuid")).startsWith("mpath-")) {
      leaves.add(device);
      return;
    }
    for (Path slave : slaves) {
      addLeaves(whole(slave), leaves);
    }
  }

  /** The text of an attribute; empty if it cannot be read. */
  private static String read(Path attribute) {
    // Not through a channel, which fails where the calling thread has been interrupted.
    try (FileInputStream in = new FileInputStream(attribute.toFile())) {
      return new String(in.readNBytes(256), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** The kernel's name, such as {@code sda}. */
  public String name() {
    return sysfs.getFileName().toString();
  }

  /**
   * Whether the kernel takes it for a rotating disk; a device made of others rotates if any of them
   * does. Virtual disks often say so without rotating. True if the kernel does not say.
   */
  public boolean isRotational() {
    return rotational;
  }

  /** Whether it is made of other devices (device mapper, software RAID). */
  public boolean isStacked() {
    return stacked;
  }

  /**
   * The number of disks that it is made of, spares included; 1 for a disk, and for a multipath
   * device. A hardware RAID counts as one disk.
   */
  public int disks() {
    return leaves.size();
  }

  /**
   * The disks that it is made of, or itself, as the directories that sysfs has for them: two
   * devices that have the same share their time. A multipath device is one of them.
   */
  public Set<Path> leaves() {
    return Collections.unmodifiableSet(leaves);
  }

  /** Whether another is the same device of the kernel. */
  public boolean isSameAs(BlockDevice other) {
    return sysfs.equals(other.sysfs);
  }

  /**
   * The requests of all processes that the driver has now and the disk has not completed; not those
   * in the I/O scheduler's queue (Documentation/block/stat.rst). For a stacked device, all that
   * have been sent to it. Pass-through commands (SG_IO) are not counted, and nothing is with {@code
   * queue/iostats} = 0. Reads one file of sysfs, some 10 microseconds; none in flight if it cannot
   * be read, as after the disk was removed.
   */
  public InFlight inFlight() {
    Matcher numbers = TWO_NUMBERS.matcher(read(sysfs.resolve("inflight")));
    return numbers.matches()
        ? new InFlight(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))
        : new InFlight(0, 0);
  }

  /**
   * How far the kernel reads ahead of who reads a file on it from begin to end, in bytes, half of
   * what it does after POSIX_FADV_SEQUENTIAL (queue/read_ahead_kb). Operators change it at any
   * time. Reads one file of sysfs.
   *
   * @param unknown the answer if it cannot be read
   */
  public long readAheadBytes(long unknown) {
    String kib = read(sysfs.resolve("queue/read_ahead_kb"));
    return kib.matches("\\d{1,12}") ? Long.parseLong(kib) << 10 : unknown;
  }

  /** For a log: the name and the facts. */
  @Override
  public String toString() {
    return name()
        + (rotational ? ", rotational" : ", not rotational")
        + (stacked ? ", made of " + disks() + (disks() == 1 ? " disk" : " disks") : "");
  }

  /** The numbers of requests in flight at one moment. Immutable. */
  public static final class InFlight {

    private final int reads;
    private final int writes;

    /** Makes numbers, 0 or more. */
    public InFlight(int reads, int writes) {
      this.reads = reads;
      this.writes = writes;
    }

    /** Reads in flight. */
    public int reads() {
      return reads;
    }

    /** Writes and discards in flight. */
    public int writes() {
      return writes;
    }
  }
}
