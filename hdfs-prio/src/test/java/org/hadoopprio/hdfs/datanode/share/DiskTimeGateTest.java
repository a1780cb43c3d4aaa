package org.hadoopprio.hdfs.datanode.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the gate alone, with given times in milliseconds. */
class DiskTimeGateTest {

  private static final boolean LOWER_WAIT = true;

  private final DiskTimeGate gate = new DiskTimeGate(0.5, 0);

  private static long ms(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** A real-time read without other reads at the disk. */
  private void read(long from, long to) {
    gate.enter();
    gate.leave(ms(from), ms(to), true);
  }

  /** Uses up the burst and a little more: at 120 ms the account is 10 ms short. */
  private void overdraw() {
    read(0, 100);
    assertFalse(gate.isOverdrawn(ms(100)));
    read(100, 120);
    assertTrue(gate.isOverdrawn(ms(120)));
  }

  @Test
  void aBurstIsFreeAndThenTheShareHolds() {
    overdraw();
    assertNotEquals(DiskTimeGate.ADMITTED, gate.arrive(ms(120), LOWER_WAIT));
    assertEquals(ms(20), gate.untilDue(ms(120)), "10 ms of debt at half a second a second");
    assertFalse(gate.openIfDue(ms(139), LOWER_WAIT));
    assertTrue(gate.openIfDue(ms(140), LOWER_WAIT));
  }

  @Test
  void withoutLowerClassesItNeverCloses() {
    overdraw();
    assertEquals(DiskTimeGate.ADMITTED, gate.arrive(ms(120), !LOWER_WAIT));
  }

  @Test
  void itOpensAsSoonAsLowerClassesStopWaiting() {
    overdraw();
    long arrival = gate.arrive(ms(120), LOWER_WAIT);
    assertTrue(gate.openIfDue(ms(121), !LOWER_WAIT));
    assertTrue(gate.hasOpenedSince(arrival));
  }

  @Test
  void thePauseBeginsWhenTheLastReadInFlightHasEnded() {
    overdraw();
    gate.enter();
    gate.arrive(ms(120), LOWER_WAIT);
    assertFalse(gate.openIfDue(ms(200), LOWER_WAIT), "one in flight holds lower classes back");
    gate.leave(ms(120), ms(200), true);
    // 120 to 200 cost 80 and gained 40, after a debt of 10.
    assertEquals(ms(100), gate.untilDue(ms(200)));
  }

  @Test
  void allThatWaitedAreAdmittedTogetherAndNoneWaitsTwice() {
    overdraw();
    long first = gate.arrive(ms(120), LOWER_WAIT);
    long second = gate.arrive(ms(125), LOWER_WAIT);
    assertFalse(gate.hasOpenedSince(first));
    assertTrue(gate.openIfDue(ms(140), LOWER_WAIT));
    read(140, 160);
    long third = gate.arrive(ms(160), LOWER_WAIT);
    assertNotEquals(DiskTimeGate.ADMITTED, third, "closed anew");
    assertTrue(gate.hasOpenedSince(first));
    assertTrue(gate.hasOpenedSince(second));
    assertFalse(gate.hasOpenedSince(third));
  }

  @Test
  void readsInFlightTogetherCostTheTimeTheyTookTogether() {
    gate.enter();
    gate.enter();
    gate.leave(0, ms(60), true);
    gate.leave(0, ms(100), true);
    // Held 100, spent 100, gained 20 after the first.
    assertFalse(gate.isOverdrawn(ms(100)));
    read(100, 150);
    assertTrue(gate.isOverdrawn(ms(150)));
  }

  @Test
  void whatTheDiskDidForOthersMeanwhileIsNotCharged() {
    gate.enter();
    gate.completed(ms(390));
    gate.leave(0, ms(400), true);
    assertFalse(gate.isOverdrawn(ms(400)));
  }

  @Test
  void whatCameFromMemoryIsFree() {
    for (int i = 0; i < 10_000; i++) {
      gate.enter();
      gate.leave(0, 1, false);
    }
    assertFalse(gate.isOverdrawn(1));
  }

  @Test
  void aStuckReadCausesNoLongerPauseThanTheLongest() {
    read(0, 60_000);
    gate.arrive(ms(60_000), LOWER_WAIT);
    assertEquals(DiskTimeGate.MAX_CLOSED_NANOS, gate.untilDue(ms(60_000)));
  }

  @Test
  void whileAReadIsStuckTheGateOpensAllTheSame() {
    overdraw();
    gate.enter();
    gate.arrive(ms(120), LOWER_WAIT);
    long longest = ms(120) + DiskTimeGate.MAX_CLOSED_NANOS;
    assertFalse(gate.openIfDue(longest - 1, LOWER_WAIT));
    assertTrue(gate.openIfDue(longest, LOWER_WAIT));
  }

  @Test
  void aChangedShareCountsFromThenOn() {
    overdraw();
    gate.arrive(ms(120), LOWER_WAIT);
    gate.setShare(1.0, ms(120));
    assertEquals(ms(10), gate.untilDue(ms(120)));
  }
}
