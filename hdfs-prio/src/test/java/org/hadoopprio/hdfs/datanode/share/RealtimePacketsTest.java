package org.hadoopprio.hdfs.datanode.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;

/** Tests the delegate of BlockSender's hooks on threads with real priorities. */
class RealtimePacketsTest {

  private static final int PACKET = 64 << 10;
  private static final long END = 1 << 20;

  private final Configuration conf = new Configuration(false);
  private final ReplicaInputStreams replica = replica();

  /** A replica on a volume of its own. */
  private static ReplicaInputStreams replica() {
    FsVolumeSpi volume = stub(FsVolumeSpi.class, null);
    InputStream data = new ByteArrayInputStream(new byte[0]);
    return new ReplicaInputStreams(data, null, stub(FsVolumeReference.class, volume), null);
  }

  /** Returns the same value from every method. */
  private static <T> T stub(Class<T> type, Object answer) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              switch (method.getName()) {
                case "hashCode":
                  return System.identityHashCode(self);
                case "equals":
                  return self == arguments[0];
                case "toString":
                  return type.getSimpleName();
                default:
                  return answer;
              }
            });
    return type.cast(proxy);
  }

  private void share(String share) {
    conf.set(ShareKeys.SHARE.name(), share);
    RealtimePackets.realtimeAdmitted(conf);
  }

  /** A packet that uses the disk for a moment. */
  private void packet(long offset) {
    Object entered = RealtimePackets.enter(conf, replica, offset / PACKET, offset, END);
    LockSupport.parkNanos(2 * VolumePacer.DISK_NANOS);
    RealtimePackets.leave(entered);
  }

  /**
   * Runs on a real-time thread, after more than the burst has been used and while a lower class
   * waits. The share is so small that a paced packet waits for the longest possible pause.
   */
  private void overdrawn(LongConsumer realtime) throws Exception {
    share("0.001");
    CountDownLatch done = new CountDownLatch(1);
    Thread lower =
        new Thread(
            () -> {
              Object entered = RealtimePackets.enter(conf, replica, 0, 0, END);
              try {
                done.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              RealtimePackets.leave(entered);
            });
    int applied = ThreadIoPriority.apply(IoPriority.realtime(4));
    try {
      assumeTrue(
          IoPriority.realtime(4).equals(ThreadIoPriority.applied()),
          "real-time needs Linux and CAP_SYS_NICE");
      Object burst = RealtimePackets.enter(conf, replica, 0, 0, END);
      assertNotNull(burst);
      TimeUnit.MILLISECONDS.sleep(TimeUnit.NANOSECONDS.toMillis(DiskTimeGate.BURST_NANOS) + 20);
      RealtimePackets.leave(burst);
      lower.start();
      TimeUnit.MILLISECONDS.sleep(20);
      realtime.accept(PriorityMetrics.REALTIME_PACED.sum());
    } finally {
      ThreadIoPriority.restore(applied);
      done.countDown();
      lower.join();
    }
  }

  @Test
  void aShareOfAllTouchesNothing() {
    share("1.0");
    assertNull(RealtimePackets.enter(conf, replica, 0, 0, END));
    assertNull(RealtimePackets.suspend());
    assertFalse(RealtimePackets.skipsReadahead(conf, replica));
  }

  @Test
  void aReadIsPacedOnceATurn() throws Exception {
    overdrawn(
        paced -> {
          for (long offset = 0; offset < RealtimePackets.TURN_BYTES; offset += PACKET) {
            packet(offset);
          }
          assertEquals(paced + 1, PriorityMetrics.REALTIME_PACED.sum());
          packet(RealtimePackets.TURN_BYTES);
          assertEquals(paced + 2, PriorityMetrics.REALTIME_PACED.sum());
        });
  }

  @Test
  void thePacketThatEndsAReadIsNotPaced() throws Exception {
    overdrawn(paced -> assertNull(RealtimePackets.enter(conf, replica, 0, END, END)));
  }

  @Test
  void whileOthersWaitThePoolDoesNotReadAhead() throws Exception {
    overdrawn(paced -> assertTrue(RealtimePackets.skipsReadahead(conf, replica)));
    assertFalse(RealtimePackets.skipsReadahead(conf, replica), "this thread is not real-time now");
  }

  @Test
  void demotedMeansBestEffortForThePacketOnly() throws Exception {
    conf.set(ShareKeys.EXCESS.name(), "demote");
    long demoted = PriorityMetrics.REALTIME_DEMOTED.sum();
    overdrawn(
        paced -> {
          for (long offset = 0; offset < 2 * PACKET; offset += PACKET) {
            Object entered = RealtimePackets.enter(conf, replica, offset / PACKET, offset, END);
            assertEquals(IoPriority.bestEffort(0), ThreadIoPriority.applied());
            RealtimePackets.leave(entered);
            assertEquals(IoPriority.realtime(4), ThreadIoPriority.applied());
          }
          assertEquals(paced, PriorityMetrics.REALTIME_PACED.sum());
        });
    assertEquals(demoted + 1, PriorityMetrics.REALTIME_DEMOTED.sum(), "once a turn");
  }

  @Test
  void waitingForTheClientIsNotWaitingForTheDisk() throws Exception {
    share("0.5");
    Object entered = RealtimePackets.enter(conf, replica, 0, 0, END);
    assertNotNull(entered);
    TimeUnit.MILLISECONDS.sleep(5);
    VolumePacer pacer = ((PacketRead) entered).pacer;
    assertTrue(pacer.lowerClassesWait());
    Object wait = RealtimePackets.suspend();
    assertNotNull(wait);
    TimeUnit.MILLISECONDS.sleep(10);
    assertFalse(pacer.lowerClassesWait());
    RealtimePackets.resume(wait);
    RealtimePackets.leave(entered);
    assertNull(RealtimePackets.suspend(), "no packet");
  }
}
