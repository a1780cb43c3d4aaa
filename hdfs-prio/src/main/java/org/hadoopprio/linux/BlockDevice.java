// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
  private final int heads;
  private final String layout;
  private final Set<Path> disks;
  private final Set<Path> below;

  private BlockDevice(Path sysfs) throws IOException {
    this.sysfs = sysfs;
    BlockStack stack = new BlockStack(sysfs);
    this.rotational = stack.isRotational();
    this.stacked = !BlockStack.slaves(sysfs).isEmpty();
    this.heads = stack.heads();
    this.layout = stack.layout();
    this.disks = Set.copyOf(stack.disks());
    this.below = Set.copyOf(stack.below());
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
        return at(Path.of("/sys/dev/block", major(number) + ":" + minor(number)));
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

  /**
   * The device that a directory of sysfs is for, such as {@code /sys/dev/block/8:1}.
   *
   * @throws IOException if there is none
   */
  public static BlockDevice at(Path sysfs) throws IOException {
    return new BlockDevice(BlockStack.whole(sysfs));
  }

  /** stat(2)'s dev_t is taken apart as glibc's gnu_dev_major does. */
  static long major(long device) {
    return (device >>> 8 & 0xfff) | (device >>> 32 & 0xfffff000L);
  }

  /** As glibc's gnu_dev_minor. */
  static long minor(long device) {
    return (device & 0xff) | (device >>> 12 & 0xffffff00L);
  }

  /** The text of an attribute; empty if it cannot be read. */
  static String read(Path attribute) {
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
   * does, and one with a cache in front of it (bcache) if what is cached does. Virtual disks often
   * say so without rotating. True if the kernel does not say.
   */
  public boolean isRotational() {
    return rotational;
  }

  /** Whether it is made of other devices (device mapper, software RAID). */
  public boolean isStacked() {
    return stacked;
  }

  /**
   * How many reads it can serve at the same time without a seek between them; 1 or more. It is the
   * number of disks, and of their actuators, where the kernel shows that reads are spread over
   * them: software RAID of md or LVM, spares not included. It is 1 for a disk, multipath or not, a
   * hardware RAID, and what may be a concatenation or a cache, as most of device mapper may: its
   * largest part counts.
   */
  public int heads() {
    return heads;
  }

  /** For the operator: what it was found to be, such as {@code raid5 of 3 disks}. */
  public String layout() {
    return layout;
  }

  /**
   * The disks that it is made of, or itself, as the directories that sysfs has for them: two
   * devices that have the same share their time. Those that rotate if any does. A multipath device
   * is one disk.
   */
  public Set<Path> disks() {
    return disks;
  }

  /** Whether another is the same device of the kernel. */
  public boolean isSameAs(BlockDevice other) {
    return sysfs.equals(other.sysfs);
  }

  /** Whether another device of the kernel is a part of this one, or of its parts. */
  public boolean liesOn(BlockDevice other) {
    return below.contains(other.sysfs);
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

  /**
   * Whether it may answer a write when it has only cached it, as the kernel knows
   * (queue/write_cache); true if it cannot be read. Reads one file of sysfs.
   */
  public boolean cachesWrites() {
    return !read(sysfs.resolve("queue/write_cache")).equals("write through");
  }

  /** For a log: the name and the facts. */
  @Override
  public String toString() {
    return name()
        + (rotational ? ", rotational" : ", not rotational")
        + (stacked ? ", " + layout() : "");
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
