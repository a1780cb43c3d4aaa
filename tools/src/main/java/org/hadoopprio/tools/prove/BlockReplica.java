// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.prove;

import com.sun.jna.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.hadoopprio.linux.FileExtent;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.tools.node.DaemonProcess;
import org.hadoopprio.tools.node.Host;
import org.hadoopprio.tools.node.Mount;
import org.hadoopprio.tools.node.SysfsDevice;
import org.hadoopprio.tools.node.Volume;
import org.hadoopprio.tools.trace.BlockTraceEvent;
import org.hadoopprio.tools.trace.DeviceNumber;

/** A place in a block's file in a volume of a DataNode on this host. Not thread-safe. */
final class BlockReplica {

  private static final int O_RDONLY = 0;
  private static final int POSIX_FADV_DONTNEED = 4;
  private static final int SECTOR = 512;

  /** A multiple of each machine's page. */
  private static final int PIECE = 64 << 10;

  /** File systems whose extents are places on the device that they are on. */
  private static final List<String> PLAIN = List.of("ext2", "ext3", "ext4", "xfs");

  private final String volume;
  private final Path file;
  private final long from;
  private final long offset;
  private final List<SysfsDevice> disks;

  /** Bytes on the disk before the file system's; negative if its places are not the disk's. */
  private final long start;

  /** Where the place is on the disk, in bytes; negative if that is not known. */
  private long place = FileExtent.UNKNOWN;

  /**
   * A replica.
   *
   * @param from the first byte to take out of the page cache
   * @param offset the place, not before that
   */
  BlockReplica(
      String volume, Path file, long from, long offset, List<SysfsDevice> disks, long start) {
    this.volume = volume;
    this.file = file;
    this.from = from;
    this.offset = offset;
    this.disks = disks;
    this.start = start;
  }

  /**
   * Finds a finalized replica.
   *
   * @param row a place in the block
   * @return empty if none of the volumes has it
   * @throws IOException if no disk of this host has the volume
   */
  static Optional<BlockReplica> find(
      Host host, DaemonProcess dataNode, List<Volume> volumes, RowPlace row) throws IOException {
    ExtendedBlock block = row.block().getBlock();
    // HDFS spreads blocks over 32 times 32 directories (layout version -57, Hadoop 3).
    long id = block.getBlockId();
    String below =
        String.format(
            "/current/%s/current/finalized/subdir%d/subdir%d/blk_%d",
            block.getBlockPoolId(), id >> 16 & 0x1f, id >> 8 & 0x1f, id);
    for (Volume volume : volumes) {
      Path file = dataNode.path(volume.path() + below);
      if (Files.exists(file)) {
        Optional<Mount> mount = Mount.of(dataNode.mounts(), host.real(volume.path()));
        Optional<SysfsDevice> device = mount.flatMap(m -> SysfsDevice.of(host, m));
        if (device.isEmpty()) {
          throw new IOException(
              "volume " + volume.path() + " is on no disk that this host knows; see hprio doctor");
        }
        boolean plain = device.get().parts().isEmpty() && PLAIN.contains(mount.get().type());
        String first = host.read("/sys/dev/block/" + mount.get().device() + "/start").orElse("0");
        long start = plain ? Long.parseLong(first) * SECTOR : -1;
        return Optional.of(
            new BlockReplica(
                volume.path(), file, row.from(), row.offset(), device.get().disks(), start));
      }
    }
    return Optional.empty();
  }

  String volume() {
    return volume;
  }

  /** The disks that it is on. */
  List<DeviceNumber> devices() {
    return disks.stream()
        .map(disk -> DeviceNumber.parse(disk.read("dev").orElse("")))
        .collect(Collectors.toList());
  }

  /**
   * Takes the row out of the page cache; what is dirty of the block's file is written first. The
   * rest of the file stays, unless the kernel has the row in one piece with more (a large folio).
   *
   * @return whether the place is out
   */
  boolean evict() throws IOException {
    NativeLibrary c = NativeLibrary.getInstance("c");
    int descriptor = c.getFunction("open").invokeInt(new Object[] {file.toString(), O_RDONLY});
    if (descriptor < 0) {
      throw new IOException("cannot open " + file);
    }
    try {
      c.getFunction("fsync").invokeInt(new Object[] {descriptor});
      // Only whole pages go.
      long first = from / PIECE * PIECE;
      forget(c, descriptor, first, (offset / PIECE + 1) * PIECE - first);
      if (PageCache.isResident(descriptor, offset, 1)) {
        forget(c, descriptor, 0, 0);
      }
      long found = FileExtent.of(descriptor, offset).place(offset);
      place = found == FileExtent.UNKNOWN || start < 0 ? FileExtent.UNKNOWN : start + found;
      return !PageCache.isResident(descriptor, offset, 1);
    } finally {
      c.getFunction("close").invokeInt(new Object[] {descriptor});
    }
  }

  private static void forget(NativeLibrary c, int descriptor, long from, long length) {
    c.getFunction("posix_fadvise")
        .invokeInt(new Object[] {descriptor, from, length, POSIX_FADV_DONTNEED});
  }

  /** Whether it is known where on the disk the place is, after {@link #evict}. */
  boolean isLocated() {
    return place >= 0;
  }

  /** Whether a request reads the place. */
  boolean isReadBy(BlockTraceEvent request) {
    long from = request.sector() * SECTOR;
    return request.isRead() && place >= from && place < from + request.bytes();
  }

  @Override
  public String toString() {
    return file.getFileName().toString();
  }
}
