// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with trees like sysfs's, and with this machine's. */
class BlockDeviceTest {

  @TempDir private Path sys;

  /** A device as sysfs has it: a directory below devices, and a link by number. */
  private Path device(String path, String number) throws IOException {
    Path device = Files.createDirectories(sys.resolve("devices").resolve(path));
    Path links = Files.createDirectories(sys.resolve("dev/block"));
    Files.createSymbolicLink(links.resolve(number), links.relativize(device));
    Files.createDirectory(device.resolve("slaves"));
    return device;
  }

  private Path disk(String name, String number, int rotational) throws IOException {
    Path disk = device("pci/ata/block/" + name, number);
    Files.createDirectory(disk.resolve("queue"));
    Files.writeString(disk.resolve("queue/rotational"), rotational + "\n");
    return disk;
  }

  private Path partition(Path disk, String name, String number) throws IOException {
    Path partition = device(sys.resolve("devices").relativize(disk) + "/" + name, number);
    Files.writeString(partition.resolve("partition"), "1\n");
    return partition;
  }

  private static void slave(Path device, Path slave) throws IOException {
    Path slaves = device.resolve("slaves");
    Files.createSymbolicLink(slaves.resolve(slave.getFileName()), slaves.relativize(slave));
  }

  private Path mapper(String name, String number, String uuid) throws IOException {
    Path mapper = disk(name, number, 1);
    Files.createDirectory(mapper.resolve("dm"));
    Files.writeString(mapper.resolve("dm/uuid"), uuid + "\n");
    return mapper;
  }

  private BlockDevice at(String number) throws IOException {
    return BlockDevice.at(sys, number);
  }

  @Test
  void aPartitionIsAtItsDisk() throws IOException {
    Path sda = disk("sda", "8:0", 1);
    Path sda1 = partition(sda, "sda1", "8:1");
    Files.writeString(sda.resolve("inflight"), "       3        5\n");
    Files.writeString(sda1.resolve("inflight"), "       1        0\n");
    BlockDevice device = at("8:1");
    assertEquals("sda", device.name());
    assertTrue(device.isRotational());
    assertFalse(device.isStacked());
    assertEquals(1, device.disks());
    assertEquals(3, device.inFlight().reads());
    assertEquals(5, device.inFlight().writes());
    assertEquals("sda, rotational", device.toString());
    Files.writeString(sda.resolve("inflight"), "       0       12\n");
    assertEquals(0, device.inFlight().reads());
    assertEquals(12, device.inFlight().writes());
    Files.delete(sda.resolve("inflight"));
    assertEquals(0, device.inFlight().writes());
  }

  @Test
  void anSsdDoesNotRotate() throws IOException {
    disk("nvme0n1", "259:0", 0);
    assertFalse(at("259:0").isRotational());
  }

  @Test
  void whatDoesNotSayIsTakenForRotating() throws IOException {
    device("virtual/block/odd0", "240:0");
    assertTrue(at("240:0").isRotational());
  }

  @Test
  void anArrayHasItsMembersDisks() throws IOException {
    Path md = disk("md0", "9:0", 1);
    slave(md, partition(disk("sda", "8:0", 1), "sda1", "8:1"));
    Path sdb = disk("sdb", "8:16", 1);
    slave(md, partition(sdb, "sdb1", "8:17"));
    slave(md, partition(sdb, "sdb2", "8:18"));
    slave(md, disk("sdc", "8:32", 1));
    BlockDevice array = at("9:0");
    assertEquals("md0", array.name());
    assertTrue(array.isStacked());
    assertEquals(3, array.disks());
    assertEquals("md0, rotational, made of 3 disks", array.toString());
  }

  @Test
  void aLogicalVolumeOnAnArrayHasTheArraysDisks() throws IOException {
    Path md = disk("md0", "9:0", 1);
    slave(md, disk("sda", "8:0", 1));
    slave(md, disk("sdb", "8:16", 1));
    Path volume = mapper("dm-0", "253:0", "LVM-abc");
    slave(volume, md);
    assertTrue(at("253:0").isStacked());
    assertEquals(2, at("253:0").disks());
  }

  @Test
  void twoWaysToOneDiskAreOneDisk() throws IOException {
    Path multipath = mapper("dm-0", "253:0", "mpath-35000");
    slave(multipath, disk("sda", "8:0", 1));
    slave(multipath, disk("sdb", "8:16", 1));
    Path partition = mapper("dm-1", "253:1", "part1-mpath-35000");
    slave(partition, multipath);
    assertEquals(1, at("253:0").disks());
    assertEquals(1, at("253:1").disks());
    assertEquals("dm-1, rotational, made of 1 disk", at("253:1").toString());
  }

  @Test
  void takesLargeDeviceNumbersApart() {
    assertEquals(8, BlockDevice.major(0x811));
    assertEquals(17, BlockDevice.minor(0x811));
    // makedev(0x1234, 0x56789)
    assertEquals(0x1234, BlockDevice.major(0x100056723489L));
    assertEquals(0x56789, BlockDevice.minor(0x100056723489L));
  }

  @Test
  void saysWhyThereIsNone() {
    FileSystemException none =
        assertThrows(FileSystemException.class, () -> BlockDevice.of(Path.of("/proc")));
    assertEquals("on proc, without a block device of its own", none.getReason());
    FileSystemException missing =
        assertThrows(FileSystemException.class, () -> BlockDevice.of(Path.of("/no/such")));
    assertTrue(missing.getReason().contains("NoSuchFile"), missing.getReason());
  }

  /** The working directory's device, or a skipped test. */
  static BlockDevice here() {
    try {
      return BlockDevice.of(Path.of("").toAbsolutePath());
    } catch (FileSystemException e) {
      Need.BLOCK_DEVICE.missing(e.getReason(), e);
      throw new IllegalStateException(e);
    }
  }

  @Test
  void findsTheDiskOfTheWorkingDirectory() throws IOException {
    BlockDevice device = here();
    Path node = Path.of(Files.getFileStore(Path.of("").toAbsolutePath()).name());
    Need.FILE.require(Files.exists(node), node.toString());
    String mounted = node.toRealPath().getFileName().toString();
    assertTrue(mounted.startsWith(device.name()), mounted + ", found " + device);
    assertTrue(device.disks() >= 1, device.toString());
  }

  @Test
  void seesAnotherThreadsWritesInFlight() throws Exception {
    BlockDevice device = here();
    Path file = Files.createTempFile(Path.of("").toAbsolutePath(), "in-flight", ".tmp");
    AtomicBoolean seen = new AtomicBoolean();
    try {
      Thread writer =
          new Thread(
              () -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                  ByteBuffer data = ByteBuffer.allocateDirect(1 << 20);
                  while (!seen.get()) {
                    channel.write(data.clear(), 0);
                    channel.force(false);
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      writer.start();
      long end = System.nanoTime() + 20_000_000_000L;
      while (!seen.get() && writer.isAlive() && System.nanoTime() < end) {
        seen.set(device.inFlight().writes() > 0);
      }
      boolean found = seen.getAndSet(true);
      writer.join();
      assertTrue(found, "no write was seen in flight at " + device);
    } finally {
      Files.delete(file);
    }
  }
}
