// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.hdfs.datanode.Stubs;
import org.hadoopprio.metrics.CountedTurns;
import org.hadoopprio.metrics.VolumeStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two volumes of a DataNode on this machine's disk, as HDFS-15548 allows. */
class DiskQueuesTest {

  private final Configuration conf = conf();
  private final Path first = Path.of("src/main").toAbsolutePath();
  private final Path second = Path.of("src/test").toAbsolutePath();

  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    // Whether or not this machine's disk rotates.
    conf.set(SchedulerKeys.STREAMS.name(), "1");
    return conf;
  }

  @BeforeEach
  void needsABlockDevice() {
    WorkingDirectory.requireBlockDevice();
  }

  private static Volume volume(Configuration conf, Path directory) {
    return Volume.of(directory.toUri(), SchedulerSettings.of(conf));
  }

  private ScheduledRead read(Path directory) {
    FsVolumeSpi volume = Stubs.answering(FsVolumeSpi.class, "getBaseURI", directory::toUri);
    return ScheduledReads.make(new BlockRead(Volumes.of(conf, volume), 1, 0, 1 << 20), null);
  }

  @Test
  void volumesOnOneDiskHaveOneQueue() {
    Volume volume = volume(conf, first);
    assertSame(volume.queue(), volume(conf, second).queue());
    assertEquals(first.toString(), volume.queue().volume());
    assertNotSame(volume.queue(), volume(conf(), second).queue(), "of another DataNode");
  }

  /** There is one backlog of writes for each. */
  @Test
  void volumesOnOneDiskCountAsOneWhereMemoryIsShared() {
    Volume none = Volume.of(URI.create("s3a://bucket/volume"), SchedulerSettings.of(conf));
    List<Volume> volumes = List.of(volume(conf, first), none, volume(conf, second));
    assertEquals(1, Volumes.disks(volumes));
    assertEquals(0, Volumes.disks(List.of(none)));
  }

  @Test
  void eachVolumeHasItsMode() {
    ScheduledRead one = read(first);
    ScheduledRead other = read(second);
    VolumeQueue queue = volume(conf, first).queue();
    SchedulerSettings.reconfigure(conf, SchedulerKeys.MODE, "turns, " + first + "=off");
    assertNull(volume(conf, first).queue());
    assertSame(queue, volume(conf, second).queue());
    assertFalse(one.isInForce(), "a read in progress follows its volume's mode");
    assertTrue(other.isInForce());
    assertFalse(letsAllPass(queue));
    SchedulerSettings.reconfigure(conf, SchedulerKeys.MODE, "off");
    assertFalse(other.isInForce());
    assertTrue(letsAllPass(queue));
    SchedulerSettings.reconfigure(conf, SchedulerKeys.MODE, "off, " + first + "=turns");
    assertTrue(one.isInForce());
    assertFalse(letsAllPass(queue));
  }

  /** Whether a second stream may go on while a first one has its turn. */
  private static boolean letsAllPass(VolumeQueue queue) {
    Ticket has = Tickets.be(4, new Stream());
    Ticket wants = Tickets.be(4, new Stream());
    assertTrue(queue.enter(has, () -> false));
    boolean passes = queue.mayContinue(wants, queue.now());
    queue.done(has);
    return passes;
  }

  /** Growth of a counter of the other volume would be growth that no disk has seen. */
  @Test
  void whatWasCountedStaysWithAVolumeThatIsRemoved() {
    Volume removed = volume(conf, first);
    Volume stays = volume(conf, second);
    turn(stays.queue());
    assertEquals(1, Volumes.status(List.of(removed, stays)).get(0).getQueue().getTurns());
    turn(stays.queue());
    VolumeStatus alone = Volumes.status(List.of(stays)).get(0);
    assertEquals(2, alone.getQueue().getTurns());
    assertEquals(1, CountedTurns.of(alone));
    turn(stays.queue());
    assertEquals(2, CountedTurns.of(Volumes.status(List.of(stays)).get(0)));
  }

  private static void turn(VolumeQueue queue) {
    Ticket ticket = Tickets.be(4, new Stream());
    assertTrue(queue.enter(ticket, () -> false));
    queue.done(ticket);
  }

  @Test
  void theQueueIsShownOnceInSums() {
    List<VolumeStatus> all = Volumes.status(List.of(volume(conf, second), volume(conf, first)));
    assertEquals(
        List.of(first.toString(), second.toString()),
        all.stream().map(VolumeStatus::getVolume).collect(Collectors.toList()));
    for (VolumeStatus each : all) {
      assertEquals(first.toString(), each.getFirstOnDisk());
    }
    assertEquals(second.toString(), volume(conf, second).status().getFirstOnDisk());
  }
}
