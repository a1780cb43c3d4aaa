package org.hadoopprio.hdfs.datanode.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads at the gate, with a clock that the test sets. */
@Timeout(30)
class VolumePacerTest {

  /** Long enough for a thread that does not wait to proceed. */
  private static final long A_WHILE_MILLIS = 100;

  private final AtomicLong clock = new AtomicLong();
  private final Configuration conf = new Configuration(false);
  private final VolumePacer pacer = pacer();

  private VolumePacer pacer() {
    conf.set(ShareKeys.SHARE.name(), "0.5");
    return new VolumePacer("/data/1", RealtimeShare.of(conf), clock::get);
  }

  private void pass(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static PacketRead realtime() {
    PacketRead packet = new PacketRead();
    packet.realtime = true;
    return packet;
  }

  /** Real-time uses 50 ms more than the burst. */
  private void overdraw() {
    PacketRead packet = realtime();
    pacer.enterTurn(packet);
    pass(150);
    pacer.leave(packet);
  }

  private PacketRead lowerWaits() {
    PacketRead packet = new PacketRead();
    pacer.enter(packet);
    pass(2);
    return packet;
  }

  private Thread realtimeTurn() {
    Thread thread = new Thread(() -> pacer.enterTurn(realtime()));
    thread.start();
    return thread;
  }

  private static boolean ends(Thread thread) throws InterruptedException {
    thread.join(A_WHILE_MILLIS);
    return !thread.isAlive();
  }

  @Test
  void whileALowerClassWaitsTheExcessIsPacedAndCounted() throws Exception {
    overdraw();
    lowerWaits();
    long paced = PriorityMetrics.REALTIME_PACED.sum();
    long nanos = PriorityMetrics.REALTIME_PACED_NANOS.sum();
    Thread turn = realtimeTurn();
    assertFalse(ends(turn));
    pass(100);
    turn.join();
    assertEquals(paced + 1, PriorityMetrics.REALTIME_PACED.sum());
    assertEquals(
        TimeUnit.MILLISECONDS.toNanos(100), PriorityMetrics.REALTIME_PACED_NANOS.sum() - nanos);
  }

  @Test
  void theSameWithoutALowerClassIsNotPaced() {
    overdraw();
    long paced = PriorityMetrics.REALTIME_PACED.sum();
    pacer.enterTurn(realtime());
    assertEquals(paced, PriorityMetrics.REALTIME_PACED.sum());
  }

  @Test
  void aLowerClassServedFromMemoryDoesNotWait() {
    overdraw();
    PacketRead cached = new PacketRead();
    for (int i = 0; i < 100; i++) {
      pacer.enter(cached);
      pacer.leave(cached);
    }
    pacer.enter(cached);
    assertFalse(pacer.lowerClassesWait());
    assertFalse(pacer.isExcess());
  }

  @Test
  void aDemotedReadIsNoLowerClassThatWaits() {
    PacketRead demoted = new PacketRead();
    demoted.demoted = true;
    pacer.enter(demoted);
    pass(10);
    assertFalse(pacer.lowerClassesWait());
    pacer.leave(demoted);
    assertFalse(pacer.lowerClassesWait());
  }

  @Test
  void thePauseEndsWhenTheLowerClassesHaveGone() throws Exception {
    overdraw();
    PacketRead lower = lowerWaits();
    Thread turn = realtimeTurn();
    assertFalse(ends(turn));
    pacer.leave(lower);
    assertFalse(ends(turn), "a lone reader's next request may be about to come");
    pass(4);
    turn.join();
  }

  @Test
  void allWaitForOnePauseAndEndTogether() throws Exception {
    overdraw();
    PacketRead inFlight = realtime();
    pacer.enterTurn(inFlight);
    lowerWaits();
    List<Thread> turns = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      turns.add(realtimeTurn());
    }
    pass(100);
    for (Thread turn : turns) {
      assertFalse(ends(turn), "one real-time read is still in flight");
    }
    pacer.leave(inFlight);
    pass(300);
    for (Thread turn : turns) {
      turn.join();
    }
  }

  @Test
  void anInterruptEndsOnesOwnPauseAndStays() throws Exception {
    overdraw();
    lowerWaits();
    List<Boolean> interrupted = new ArrayList<>();
    Thread first =
        new Thread(
            () -> {
              pacer.enterTurn(realtime());
              interrupted.add(Thread.currentThread().isInterrupted());
            });
    first.start();
    assertFalse(ends(first));
    Thread second = realtimeTurn();
    assertFalse(ends(second));
    first.interrupt();
    first.join();
    assertEquals(List.of(true), interrupted);
    assertFalse(ends(second));
    // Later than the longest pause, because the first is in flight and never leaves.
    pass(600);
    second.join();
  }

  @Test
  void aShareOfAllEndsAPause() throws Exception {
    overdraw();
    lowerWaits();
    assertTrue(pacer.isExcess());
    RealtimeShare.reconfigure(conf, ShareKeys.SHARE, "1.0");
    assertFalse(pacer.settings().isOn());
    Thread turn = realtimeTurn();
    pass(100);
    turn.join();
  }
}
