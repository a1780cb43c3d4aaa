// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.linux.BlockDevice;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a tree like sysfs's: a logical volume, dm-0, on the disk sda. */
@Timeout(60)
class SharedDiskTest {

  @TempDir private Path sys;

  private final SchedulerSettings settings = SchedulerSettings.of(new Configuration(false));
  private final SharedDisk shared = new SharedDisk();
  private Path sda;
  private Path mapper;

  @BeforeEach
  void devices() throws IOException {
    sda = device("sda", "3 1", 128);
    mapper = device("dm-0", "2 1", 4096);
    Files.createSymbolicLink(mapper.resolve("slaves/sda"), sda);
  }

  private Path device(String name, String inFlight, int readAheadKib) throws IOException {
    Path device = Files.createDirectories(sys.resolve(name));
    Files.createDirectories(device.resolve("slaves"));
    Files.createDirectories(device.resolve("queue"));
    Files.writeString(device.resolve("inflight"), inFlight + "\n");
    Files.writeString(device.resolve("queue/read_ahead_kb"), readAheadKib + "\n");
    return device;
  }

  private Volume join(Path device) throws IOException {
    Volume volume = Volume.of(URI.create("s3a://bucket/volume"), settings);
    shared.join(volume, BlockDevice.at(device));
    return volume;
  }

  private void assertInFlight(int reads, int writes) {
    BlockDevice.InFlight requests = shared.inFlight();
    assertEquals(reads + " " + writes, requests.reads() + " " + requests.writes());
  }

  @Test
  void whatIsSentToTheDiskForALogicalVolumeCountsOnce() throws IOException {
    Volume logical = join(mapper);
    assertInFlight(2, 1);
    Volume partition = join(sda);
    assertInFlight(3, 1);
    assertNotNull(logical);
    assertNotNull(partition);
  }

  @Test
  void logicalVolumesOnOneDiskCountEach() throws IOException {
    Path other = device("dm-1", "5 7", 128);
    Files.createSymbolicLink(other.resolve("slaves/sda"), sda);
    Volume one = join(mapper);
    Volume two = join(other);
    Volume twoAgain = join(other);
    assertInFlight(7, 8);
    assertNotNull(one);
    assertNotNull(two);
    assertNotNull(twoAgain);
  }

  @Test
  void theKernelReadsAsFarAheadAsOfAnyVolume() throws IOException {
    Volume partition = join(sda);
    assertEquals(128 << 10, shared.readAheadBytes());
    Volume logical = join(mapper);
    assertEquals(4096 << 10, shared.readAheadBytes());
    assertNotNull(partition);
    assertNotNull(logical);
  }

  @Test
  void aVolumeThatWasRemovedLeaves() throws Exception {
    Volume logical = join(mapper);
    join(sda);
    soon("the volume that was removed has left")
        .until(
            () -> {
              System.gc();
              return shared.inFlight().reads() == 2;
            });
    assertEquals(4096 << 10, shared.readAheadBytes());
    assertNotNull(logical);
  }
}
