// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.hadoopprio.lab.testing.Soon.soon;
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
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    return BlockDevice.at(sys.resolve("dev/block").resolve(number));
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
    assertEquals(1, device.heads());
    assertEquals("a disk", device.layout());
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

  private Path array(String level, Path... members) throws IOException {
    Path md = disk("md0", "9:0", 1);
    Files.createDirectory(md.resolve("md"));
    Files.writeString(md.resolve("md/level"), level + "\n");
    for (Path member : members) {
      slave(md, member);
    }
    return md;
  }

  @Test
  void anArrayHasTheHeadsOfItsMembers() throws IOException {
    Path sda1 = partition(disk("sda", "8:0", 1), "sda1", "8:1");
    Path sdb = disk("sdb", "8:16", 1);
    Path sdb1 = partition(sdb, "sdb1", "8:17");
    array("raid5", sda1, sdb1, partition(sdb, "sdb2", "8:18"), disk("sdc", "8:32", 1));
    BlockDevice array = at("9:0");
    assertEquals("md0", array.name());
    assertTrue(array.isStacked());
    assertEquals(3, array.heads());
    assertEquals(3, array.disks().size());
    assertEquals("md0, rotational, raid5 of 3 disks", array.toString());
  }

  @Test
  void aSpareDoesNotRead() throws IOException {
    Path md = array("raid1", disk("sda", "8:0", 1), disk("sdb", "8:16", 1), disk("sdc", "8:32", 1));
    for (String member : List.of("sda in_sync", "sdb in_sync,write_mostly", "sdc spare")) {
      String[] words = member.split(" ", -1);
      Path directory = Files.createDirectory(md.resolve("md/dev-" + words[0]));
      Files.writeString(directory.resolve("state"), words[1] + "\n");
    }
    assertEquals(2, at("9:0").heads());
    assertEquals("raid1 of 2 disks", at("9:0").layout());
  }

  @ParameterizedTest
  @ValueSource(strings = {"linear", "container", ""})
  void whatIsNotKnownToSpreadReadsHasTheHeadsOfOnePart(String level) throws IOException {
    array(level, disk("sda", "8:0", 1), disk("sdb", "8:16", 1));
    assertEquals(1, at("9:0").heads());
    assertEquals(2, at("9:0").disks().size());
    assertEquals("2 disks, not known to be read at the same time", at("9:0").layout());
  }

  @Test
  void aLogicalVolumeOnAnArrayHasTheArraysHeads() throws IOException {
    Path md = array("raid0", disk("sda", "8:0", 1), disk("sdb", "8:16", 1));
    Path volume = mapper("dm-0", "253:0", "LVM-abc");
    slave(volume, md);
    assertTrue(at("253:0").isStacked());
    assertEquals(2, at("253:0").heads());
    assertEquals("raid0 of 2 disks", at("253:0").layout());
    assertEquals(at("9:0").disks(), at("253:0").disks());
  }

  /** A file lies on one of the two: two streams at a time would be one too many for its disk. */
  @Test
  void aLogicalVolumeOverTwoDisksMayBeAConcatenation() throws IOException {
    Path volume = mapper("dm-0", "253:0", "LVM-abc");
    slave(volume, disk("sda", "8:0", 1));
    slave(volume, disk("sdb", "8:16", 1));
    assertEquals(1, at("253:0").heads());
    assertEquals(2, at("253:0").disks().size());
  }

  @Test
  void lvmsRaidReadsAllOfItsImages() throws IOException {
    Path volume = mapper("dm-9", "253:9", "LVM-abz");
    for (int i = 0; i < 3; i++) {
      Path disk = disk("sd" + (char) ('a' + i), "8:" + 16 * i, 1);
      for (String part : List.of("rmeta", "rimage")) {
        int minor = 2 * i + (part.equals("rimage") ? 1 : 0);
        Path image = mapper("dm-" + minor, "253:" + minor, "LVM-ab" + minor);
        Files.writeString(image.resolve("dm/name"), "vg-data_" + part + "_" + i + "\n");
        slave(image, disk);
        slave(volume, image);
      }
    }
    assertEquals(3, at("253:9").heads());
    assertEquals("LVM RAID of 3 disks", at("253:9").layout());
  }

  /** dm-cache: the kernel says that it rotates, because one part does. */
  @Test
  void anSsdInFrontOfADiskIsNoSpindle() throws IOException {
    Path cached = mapper("dm-0", "253:0", "LVM-abc");
    Path sda = disk("sda", "8:0", 1);
    slave(cached, sda);
    slave(cached, disk("nvme0n1", "259:0", 0));
    assertTrue(at("253:0").isRotational());
    assertEquals(1, at("253:0").heads());
    assertEquals(at("8:0").disks(), at("253:0").disks());
  }

  @Test
  void bcacheIsTheDiskBehindIt() throws IOException {
    Path bcache = disk("bcache0", "252:0", 0);
    Files.createDirectory(bcache.resolve("bcache"));
    slave(bcache, disk("nvme0n1", "259:0", 0));
    slave(bcache, disk("sda", "8:0", 1));
    assertTrue(at("252:0").isRotational());
    assertEquals(1, at("252:0").heads());
    assertEquals("bcache over a disk", at("252:0").layout());
    slave(disk("dm-0", "253:0", 0), bcache);
    assertTrue(at("253:0").isRotational(), "what lies on it");
  }

  @Test
  void eachActuatorOfADiskIsAHead() throws IOException {
    Path sda = disk("sda", "8:0", 1);
    Files.createDirectories(sda.resolve("queue/independent_access_ranges/0"));
    Files.createDirectories(sda.resolve("queue/independent_access_ranges/1"));
    assertEquals(2, at("8:0").heads());
    assertEquals("a disk with 2 actuators", at("8:0").layout());
    array("raid0", sda, disk("sdb", "8:16", 1));
    assertEquals(3, at("9:0").heads());
  }

  @Test
  void twoWaysToOneDiskAreOneDisk() throws IOException {
    Path multipath = mapper("dm-0", "253:0", "mpath-35000");
    slave(multipath, disk("sda", "8:0", 1));
    slave(multipath, disk("sdb", "8:16", 1));
    Path partition = mapper("dm-1", "253:1", "part1-mpath-35000");
    slave(partition, multipath);
    assertEquals(1, at("253:0").heads());
    assertEquals(1, at("253:1").heads());
    assertEquals("dm-1, rotational, a multipath disk", at("253:1").toString());
    assertEquals(at("253:0").disks(), at("253:1").disks());
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
    assertTrue(device.heads() >= 1, device.toString());
  }

  @Test
  void seesAnotherThreadsWritesInFlight() throws Exception {
    BlockDevice device = here();
    Path file = Files.createTempFile(Path.of("").toAbsolutePath(), "in-flight", ".tmp");
    AtomicBoolean end = new AtomicBoolean();
    try {
      Thread writer =
          new Thread(
              () -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                  ByteBuffer data = ByteBuffer.allocateDirect(1 << 20);
                  while (!end.get()) {
                    channel.write(data.clear(), 0);
                    channel.force(false);
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      writer.start();
      try {
        soon("a write is in flight at " + device)
            .failFast("nobody writes", () -> !writer.isAlive())
            .until(() -> device.inFlight().writes() > 0);
      } finally {
        end.set(true);
        writer.join();
      }
    } finally {
      Files.delete(file);
    }
  }
}
