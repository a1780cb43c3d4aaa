package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests one read with a clock that the test sets and a page cache that it fills. Nothing here
 * waits: whoever would have to wait finds its data cached, or the disk free.
 */
@Timeout(30)
class ScheduledReadTest {

  private static final int PACKET = 64 << 10;
  private static final long BLOCK = 16 << 20;
  private static final CachedData CACHED = (offset, length) -> true;
  private static final CachedData NOT_CACHED = (offset, length) -> false;

  private final AtomicLong clock = new AtomicLong();
  private final SchedulerSettings settings = SchedulerSettings.of(new Configuration(false));
  private final VolumeQueue queue =
      new VolumeQueue("/data/1", settings.limits(), 1, clock::get, reads -> false);

  private ScheduledRead read(IoPriority priority, Stream stream) {
    ScheduledRead read = new ScheduledRead(queue, settings, priority, stream);
    read.begin();
    return read;
  }

  private ScheduledRead realtime() {
    return read(IoPriority.realtime(0), null);
  }

  /** Whether a read of another class may use the disk. */
  private boolean isFree() {
    Ticket probe = be(4, null);
    boolean free = queue.enter(probe, () -> true);
    queue.done(probe);
    return free;
  }

  private void pass(long millis) {
    clock.addAndGet(ms(millis));
  }

  @Test
  void cachedDataDoesNotWaitForATurn() {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    assertFalse(isFree());
    ScheduledRead cached = read(null, new Stream());
    for (long offset = 0; offset < BLOCK; offset += PACKET) {
      cached.packet(offset, BLOCK, CACHED);
      cached.packetDone(offset, PACKET);
    }
    cached.finish();
    assertEquals(0, queue.counters().waits(DiskClass.BEST_EFFORT));
  }

  @Test
  void howMuchIsCachedIsNotAskedForEachPacket() {
    read(null, new Stream()).packet(0, BLOCK, NOT_CACHED);
    ScheduledRead cached = read(null, new Stream());
    AtomicInteger asked = new AtomicInteger();
    CachedData counts = (offset, length) -> asked.incrementAndGet() > 0;
    for (long offset = 0; offset < BLOCK; offset += PACKET) {
      cached.packet(offset, BLOCK, counts);
    }
    assertTrue(asked.get() <= BLOCK / PACKET / 8 + 1, asked + " times");
  }

  @Test
  void aReadThatHasItsTurnIsNotLookedUpInTheCache() {
    ScheduledRead read = read(null, new Stream());
    for (long offset = 0; offset < BLOCK; offset += PACKET) {
      read.packet(offset, BLOCK, (from, length) -> fail("asked at " + from));
      read.packetDone(offset, PACKET);
    }
  }

  @Test
  void aLookIntoTheCacheThatFailsLeavesNoTrace() {
    ScheduledRead holder = read(null, new Stream());
    holder.packet(0, BLOCK, NOT_CACHED);
    ScheduledRead read = read(null, new Stream());
    CachedData fails =
        (offset, length) -> {
          throw new IllegalStateException("test");
        };
    assertThrows(IllegalStateException.class, () -> read.packet(0, BLOCK, fails));
    read.finish();
    holder.finish();
    pass(2);
    assertTrue(isFree());
  }

  @Test
  void aRealtimeReadHoldsOthersUntilItFinishes() {
    ScheduledRead read = realtime();
    assertTrue(isFree(), "its files may be cached");
    read.packet(0, BLOCK, NOT_CACHED);
    assertFalse(isFree());
    read.packetDone(0, PACKET);
    assertFalse(isFree());
    read.suspend();
    assertTrue(isFree());
    read.resume();
    assertFalse(isFree());
    read.finish();
    assertTrue(isFree());
  }

  @Test
  void aRealtimeReadOfCachedDataHoldsNobody() {
    ScheduledRead read = realtime();
    pass(1);
    assertFalse(isFree(), "it may be opening its files");
    read.packet(0, BLOCK, CACHED);
    assertTrue(isFree());
    read.suspend();
    read.resume();
    assertTrue(isFree());
    read.packetDone(0, PACKET);
    read.finish();
    assertTrue(isFree());
  }

  @Test
  void aReadThatHasLostItsTurnGoesOnIfItsDataIsCached() {
    AtomicBoolean cached = new AtomicBoolean();
    ScheduledRead read = read(null, new Stream());
    read.packet(0, PACKET, (offset, length) -> cached.get());
    read.suspend();
    pass(2);
    ScheduledRead other = read(null, new Stream());
    other.packet(0, PACKET, NOT_CACHED);
    assertFalse(isFree());
    cached.set(true);
    read.resume();
    assertEquals(0, queue.counters().waits(DiskClass.BEST_EFFORT));
    read.packetDone(0, PACKET);
    read.finish();
    assertFalse(isFree(), "the other one is at the disk");
    other.finish();
  }

  @Test
  void whatFollowsCachedDataHoldsOthers() {
    ScheduledRead read = realtime();
    read.packet(0, BLOCK, CACHED);
    read.packet(PACKET, BLOCK, (offset, length) -> fail("known to be cached"));
    assertTrue(isFree());
    long after = 4 << 20;
    read.packet(after, BLOCK, NOT_CACHED);
    assertFalse(isFree());
    read.suspend();
    assertTrue(isFree());
    read.resume();
    assertFalse(isFree());
    read.packet(after + PACKET, BLOCK, CACHED);
    assertTrue(isFree());
    read.finish();
  }

  @Test
  void aLongRealtimeReadIsChargedForReadaheadToo() {
    ScheduledRead read = realtime();
    for (int i = 0; i < 10; i++) {
      read.packet((long) i * PACKET, BLOCK, NOT_CACHED);
      clock.addAndGet(ms(1) / 10);
      read.suspend();
      pass(50);
      read.resume();
      read.packetDone((long) i * PACKET, PACKET);
    }
    read.finish();
    // Two parts of 256 KiB and what came after them; the kernel read them ahead meanwhile.
    assertEquals(
        2 * VolumeScheduler.PART_NANOS + ms(2) / 10,
        queue.counters().usedNanos(DiskClass.REALTIME));
  }

  @Test
  void changedSettingsReachTheVolume() {
    Configuration conf = new Configuration(false);
    SchedulerSettings own = SchedulerSettings.of(conf);
    ScheduledRead first = new ScheduledRead(queue, own, null, new Stream());
    first.begin();
    first.packet(0, BLOCK, NOT_CACHED);
    SchedulerSettings.reconfigure(conf, SchedulerKeys.TURN_BYTES, "65536");
    ScheduledRead second = new ScheduledRead(queue, own, null, new Stream());
    second.begin();
    second.finish();
    Ticket ticket = be(4, new Stream());
    first.finish();
    pass(2);
    assertTrue(queue.enter(ticket, () -> true));
    ticket.read(65536);
    // Another asks while this one has used up its turn.
    assertFalse(
        queue.enter(
            be(4, new Stream()),
            () -> {
              assertFalse(queue.mayContinue(ticket, clock.get()));
              return true;
            }));
  }
}
