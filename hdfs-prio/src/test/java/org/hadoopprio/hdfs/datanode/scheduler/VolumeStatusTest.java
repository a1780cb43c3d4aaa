// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.lab.testing.Need;
import org.hadoopprio.linux.BlockDevice;
import org.hadoopprio.log.LoggedLines;
import org.hadoopprio.metrics.BlameStatus;
import org.hadoopprio.metrics.QueueStatus;
import org.hadoopprio.metrics.SlowReadStatus;
import org.hadoopprio.metrics.VolumeStatus;
import org.junit.jupiter.api.Test;

/** What a volume and its queue tell about themselves. */
class VolumeStatusTest {

  private final Configuration conf = new Configuration(false);
  private final AtomicLong clock = new AtomicLong(TimeUnit.HOURS.toNanos(1));
  private final SchedulerLimits limits = Tickets.limits(0.7);
  private final VolumeQueue queue =
      new VolumeQueue("/data/1", limits, 1, clock::get, realtime -> false, () -> true);

  private void pass(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private Ticket stream(IoPriority priority) {
    return new Ticket(priority, limits.weight(priority), new Stream());
  }

  private VolumeStatus status(Path directory) {
    return Volume.of(directory.toUri(), SchedulerSettings.of(conf)).status();
  }

  private static Path directoryInMemory() {
    Path shm = Path.of("/dev/shm");
    Need.MEMORY_FILES.require(Files.isDirectory(shm), "there is no " + shm);
    return shm;
  }

  @Test
  void aVolumeWithoutABlockDeviceSaysWhyItHasNoTurns() {
    VolumeStatus status = status(directoryInMemory());
    assertEquals("/dev/shm", status.getVolume());
    assertEquals("turns", status.getWanted());
    assertEquals("order", status.getMode());
    assertTrue(status.getReason().startsWith("its block device is not known: on "));
    assertEquals("", status.getDevice());
    assertEquals(0, status.getStreams());
    assertEquals(SchedulerKeys.SHARE.defaultValue(), status.getRealtimeShare());
    assertFalse(status.getQueue().isOpen());
  }

  @Test
  void aModeThatIsTheConfiguredOneNeedsNoReason() {
    conf.set(SchedulerKeys.MODE.name(), "turns, /dev/shm=off");
    VolumeStatus status = status(directoryInMemory());
    assertEquals("off", status.getWanted());
    assertEquals("off", status.getMode());
    assertEquals("", status.getReason());
  }

  @Test
  void turnsOnADeviceAndOtherModesOfTheSameVolume() throws Exception {
    Path directory = Path.of("target").toRealPath();
    WorkingDirectory.requireBlockDevice();
    String device = BlockDevice.of(directory).name();
    conf.set(SchedulerKeys.STREAMS.name(), "3");
    Volume volume = Volume.of(directory.toUri(), SchedulerSettings.of(conf));
    assertEquals("turns", volume.status().getMode());
    assertEquals("", volume.status().getReason());
    assertEquals(device, volume.status().getDevice());
    assertEquals(3, volume.status().getStreams());
    SchedulerSettings.reconfigure(conf, SchedulerKeys.MODE, "order");
    assertEquals("order", volume.status().getMode());
    assertEquals("order", volume.status().getWanted());
    assertEquals("", volume.status().getReason());
  }

  @Test
  void aVolumeLogsItsOwnMode() throws Exception {
    Path directory = Path.of("target").toRealPath();
    WorkingDirectory.requireBlockDevice();
    for (String mode : List.of("off", "observe", "order", "turns")) {
      // Settings stay with their configuration.
      Configuration own = new Configuration(false);
      own.set(SchedulerKeys.STREAMS.name(), "3");
      own.set(SchedulerKeys.MODE.name(), mode);
      try (LoggedLines log = LoggedLines.of(Volume.class)) {
        Volume.of(directory.toUri(), SchedulerSettings.of(own));
        String line = String.join("", log.all());
        String said = ", the mode is " + mode + "; in mode turns 3 stream(s) read at a time";
        assertTrue(line.endsWith(said), line);
      }
    }
  }

  @Test
  void aVolumeThatIsNoLocalDirectoryIsNotShown() {
    SchedulerSettings settings = SchedulerSettings.of(conf);
    assertNull(Volume.of(URI.create("hdfs://other/data"), settings).status());
  }

  @Test
  void theTimeOfAReadShowsWhileItIsAtTheDisk() {
    Ticket read = stream(null);
    assertTrue(queue.enter(read, () -> false));
    pass(40);
    assertEquals(40, queue.status().getBestEffort().getDiskMillis());
    assertEquals(1, queue.status().getTurns());
    pass(10);
    queue.done(read);
    pass(1000);
    QueueStatus after = queue.status();
    assertEquals(50, after.getBestEffort().getDiskMillis());
    assertEquals(0, after.getBestEffort().getWaits());
    assertEquals(0, after.getRealtime().getDiskMillis());
    assertEquals(0, after.getIdle().getDiskMillis());
  }

  @Test
  void whoWaitsAndForHowLong() throws Exception {
    Ticket first = stream(null);
    Ticket second = stream(IoPriority.IDLE);
    queue.enter(first, () -> false);
    Thread waiter = new Thread(() -> queue.enter(second, () -> false));
    waiter.start();
    soon("the second stream waits").until(() -> queue.status().getIdle().getWaiting() > 0);
    assertEquals(0, queue.status().getBestEffort().getWaiting());
    assertEquals(0, queue.status().getIdle().getWaits());
    pass(30);
    first.pause(clock.get());
    pass(2);
    waiter.join(TimeUnit.SECONDS.toMillis(30));
    assertFalse(waiter.isAlive(), "the second stream still waits");
    QueueStatus after = queue.status();
    assertEquals(0, after.getIdle().getWaiting());
    assertEquals(1, after.getIdle().getWaits());
    assertEquals(32, after.getIdle().getWaitMillis());
    assertEquals(30, after.getBestEffort().getDiskMillis());
    assertEquals(2, after.getTurns());
  }

  @Test
  void aReadThatWaitsForLongIsShownWithWhoHadTheDisk() throws Exception {
    Instant begun = Instant.now();
    Ticket before = stream(null);
    queue.enter(before, () -> false);
    queue.done(before);
    pass(2);
    Ticket first = stream(null);
    Ticket second = stream(IoPriority.IDLE);
    queue.enter(first, () -> false);
    Thread waiter = new Thread(() -> queue.enter(second, () -> false));
    waiter.start();
    soon("the second stream waits").until(() -> queue.status().getIdle().getWaiting() > 0);
    assertEquals(1, queue.status().getTenants()[0].getWaiting());
    pass(1500);
    queue.done(first);
    pass(2);
    waiter.join(TimeUnit.SECONDS.toMillis(30));
    assertFalse(waiter.isAlive(), "the second stream still waits");
    QueueStatus after = queue.status();
    assertEquals(1, after.getSlow());
    assertEquals(1, after.getTenants()[0].getSlow());
    SlowReadStatus slow = after.getSlowReads()[0];
    assertEquals("idle", slow.getPriority());
    assertEquals("default", slow.getTenant());
    assertEquals(1502, slow.getWaitMillis());
    BlameStatus blame = slow.getBlamed()[0];
    assertEquals("default be", blame.getTenant() + " " + blame.getIoClass());
    assertEquals("unknown", blame.getRole());
    assertTrue(blame.getMillis() >= 1500, blame.getMillis() + " ms");
    Instant ended = Instant.parse(slow.getTime());
    assertFalse(ended.isBefore(begun.truncatedTo(ChronoUnit.MILLIS)), slow.getTime());
    assertFalse(ended.isAfter(Instant.now()), slow.getTime());
    Thread.sleep(5);
    QueueStatus later = queue.status();
    assertEquals(1, later.getSlowReads().length);
    assertEquals(slow.getTime(), later.getSlowReads()[0].getTime(), "of the first look");
  }
}
