// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.be;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.limits;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.ms;
import static org.hadoopprio.hdfs.datanode.scheduler.Tickets.realtime;
import static org.hadoopprio.hdfs.datanode.scheduler.Waiters.awaitAsleep;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Claim;
import org.hadoopprio.disktime.Disk;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.DiskCounters;
import org.hadoopprio.disktime.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Faults that a review of the scheduler has found. */
@Timeout(30)
class SchedulerRegressionTest {
  private final DiskCounters counters = new DiskCounters();
  private final AtomicInteger strangersAskedWith = new AtomicInteger(-1);
  private final Disk scheduler =
      new Disk(
          limits(0.5).disk(),
          1,
          0,
          counters,
          t -> {},
          n -> {
            strangersAskedWith.set(n);
            return false;
          });
  private final AtomicLong clock = new AtomicLong();
  private final VolumeQueue queue =
      new VolumeQueue("/v", limits(0.5), 1, clock::get, n -> false, () -> true);

  @Test
  void aReaderOfCachedDataDoesNotKeepTheDisk() {
    long now = 0;
    for (int i = 0; i < 50; i++) {
      Ticket read = realtime();
      scheduler.askRealtime(read, true, now);
      scheduler.paused(read, now + 100_000);
      scheduler.realtimeDone(read, now + 200_000);
      now += ms(1);
    }
    assertTrue(scheduler.ask(be(4, new Stream()), now - ms(1) / 2), "the disk is kept for nobody");
    assertEquals(0, counters.usedNanos(DiskClass.REALTIME));
  }

  @Test
  void aReadOfCachedDataDoesNotKeepTheDisk() throws Exception {
    SchedulerSettings settings = SchedulerSettings.of(new Configuration(false));
    for (int i = 0; i < 50; i++) {
      ScheduledRead read = ScheduledRead.of(queue, settings, IoPriority.realtime(0), null);
      read.begin();
      read.packet(0, 65536, (offset, length) -> true);
      read.packetDone(0, 65536);
      read.finish();
      clock.addAndGet(ms(1));
    }
    clock.addAndGet(-ms(1) / 2);
    assertTrue(queue.enter(be(4, new Stream()), () -> true));
  }

  @Test
  void aRequestThatTheKernelHoldsBackDoesNotMakeReadsOneByOneFree() {
    assertTrue(scheduler.ask(be(4, new Stream()), 0));
    boolean waits = false;
    for (int i = 0; i < 900 && !waits; i++) {
      Ticket read = realtime();
      waits = !scheduler.askRealtime(read, false, ms(10L * i));
      if (!waits) {
        scheduler.realtimeDone(read, ms(10L * i + 10));
      }
    }
    assertTrue(waits);
  }

  @Test
  void aRequestThatTheKernelHoldsBackDoesNotMakeReadsWithSmallGapsFree() {
    assertTrue(scheduler.ask(be(4, new Stream()), 0));
    boolean waits = false;
    for (int i = 0; i < 900 && !waits; i++) {
      Ticket read = realtime();
      waits = !scheduler.askRealtime(read, false, ms(10L * i) + 300_000);
      if (!waits) {
        scheduler.realtimeDone(read, ms(10L * i + 10));
      }
    }
    assertTrue(waits);
  }

  @Test
  void aRealtimeReadOfSeveralPartsHoldsOthersBetweenThem() throws Exception {
    SchedulerSettings settings = SchedulerSettings.of(new Configuration(false));
    ScheduledRead read = ScheduledRead.of(queue, settings, IoPriority.realtime(0), null);
    read.begin();
    read.packet(0, 1 << 20, (offset, length) -> false);
    Ticket lower = be(4, new Stream());
    Thread thread = new Thread(() -> queue.enter(lower, () -> false));
    thread.start();
    awaitAsleep(thread);
    clock.addAndGet(ms(2));
    read.packet(ScheduledRead.REALTIME_BYTES, 1 << 20, (offset, length) -> false);
    Claim.State state = lower.state();
    read.finish();
    thread.join();
    assertEquals(Claim.State.WAITING, state);
  }

  @Test
  void withoutALimitOfRealtimeTheQueueStaysInForce() throws Exception {
    VolumeQueue q = new VolumeQueue("/v", limits(1), 1, clock::get, n -> false, () -> true);
    Ticket a = realtime();
    q.enterRealtime(a, false);
    Ticket lower = be(4, new Stream());
    Thread thread = new Thread(() -> q.enter(lower, () -> false));
    thread.start();
    awaitAsleep(thread);
    for (int i = 0; i < 2100; i++) { // reads of 10 ms that overlap
      Ticket b = realtime();
      q.enterRealtime(b, false);
      clock.addAndGet(ms(10));
      q.doneRealtime(a);
      a = b;
    }
    LockSupport.unpark(thread);
    thread.join(5000);
    assertFalse(q.isOpen(clock.get()));
  }

  @Test
  void strangersAreSoughtAmongTheReadsAtTheDiskOnly() {
    for (int i = 0; i < 40; i++) {
      Ticket slow = realtime();
      scheduler.askRealtime(slow, false, 0);
      scheduler.paused(slow, 0);
    }
    for (int i = 0; i < 40; i++) {
      Ticket read = realtime();
      scheduler.askRealtime(read, false, ms(10L * i));
      scheduler.realtimeDone(read, ms(10L * i + 10));
    }
    assertTrue(strangersAskedWith.get() <= 1, strangersAskedWith + " reads");
  }

  @Test
  void aReadThatHasJustOpenedItsFilesIsNotLost() {
    Ticket read = realtime();
    scheduler.askRealtime(read, true, 0);
    scheduler.opened(read, ms(9_000));
    scheduler.poll(ms(10_001));
    assertEquals(Claim.State.IN, read.state());
  }

  @Test
  void offForAllIsOffForAVolumeThatIsNoDirectory() {
    Configuration conf = new Configuration(false);
    conf.set(SchedulerKeys.MODE.name(), "off");
    FsVolumeSpi volume =
        (FsVolumeSpi)
            Proxy.newProxyInstance(
                FsVolumeSpi.class.getClassLoader(),
                new Class<?>[] {FsVolumeSpi.class},
                (self, method, a) ->
                    method.getName().equals("getBaseURI")
                        ? URI.create("s3a://b/v")
                        : method.getName().equals("hashCode")
                            ? 1
                            : method.getName().equals("equals") ? self == a[0] : null);
    assertTrue(Volumes.of(conf, volume).mode().isStock());
  }
}
