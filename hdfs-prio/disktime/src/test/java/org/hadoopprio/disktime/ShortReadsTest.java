// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.hadoopprio.disktime.Claims.settings;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ShortReadsTest {

  private final HeldReads held = new HeldReads();
  private final ShortReads shorts = new ShortReads(held);

  private static Claim due(int level, long millis, int following) {
    Claim claim = be(level, null);
    claim.setDeadline(ms(millis), following);
    return claim;
  }

  @Test
  void theyGoInTheOrderOfTheirArrivalUnlessOneHasToBegin() {
    Claim first = be(4, null);
    Claim second = be(0, null);
    Claim late = due(7, 100, 0);
    Claim later = due(7, 200, 0);
    for (Claim each : List.of(first, second, later, late)) {
      shorts.add(each);
    }
    assertEquals(be(0, null).weight, shorts.greatestWeight());
    assertEquals(ms(100) - held.neededNanos(1) - TurnLength.MIN_TURN_NANOS, shorts.dueAt());
    assertSame(first, shorts.take(shorts.dueAt() - 1));
    assertSame(late, shorts.take(shorts.dueAt()));
    assertSame(second, shorts.take(0));
    assertEquals(be(7, null).weight, shorts.greatestWeight());
    shorts.remove(later);
    shorts.remove(later);
    assertTrue(shorts.isEmpty());
    assertEquals(0, shorts.greatestWeight());
    assertEquals(Long.MAX_VALUE, shorts.dueAt());
  }

  @Test
  void thoseThatHaveToBeginLeaveEverySecondPlaceToTheFirst() {
    List<Claim> others = List.of(be(0, null), be(7, null));
    others.forEach(shorts::add);
    List<Claim> taken = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      shorts.add(due(7, 1, 0));
      taken.add(shorts.take(ms(1)));
    }
    assertFalse(others.contains(taken.get(0)));
    assertSame(others.get(0), taken.get(1));
    assertFalse(others.contains(taken.get(2)));
    assertSame(others.get(1), taken.get(3));
  }

  @Test
  void oneOfAGreaterWeightIsNotBehindAllThatCameBefore() {
    List<Claim> flood = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      flood.add(be(7, null));
      shorts.add(flood.get(i));
    }
    Claim sync = be(0, null);
    shorts.add(sync);
    List<Claim> taken = List.of(shorts.take(0), shorts.take(0), shorts.take(0));
    assertTrue(taken.contains(sync));
    // And many of a greater weight leave every second place to the first.
    int ofFlood = 0;
    for (int i = 0; i < 100; i++) {
      shorts.add(be(0, null));
      ofFlood += flood.contains(shorts.take(0)) ? 1 : 0;
    }
    assertEquals(50, ofFlood);
  }

  @Test
  void thoseThatHaveToBeginTakeNoTurnOfAGreaterWeight() {
    List<Claim> flood = List.of(be(7, null), be(7, null), be(7, null), be(7, null));
    flood.forEach(shorts::add);
    Claim sync = be(0, null);
    shorts.add(sync);
    assertSame(flood.get(0), shorts.take(0));
    Claim late = due(7, 1, 0);
    shorts.add(late);
    assertSame(late, shorts.take(ms(1)));
    shorts.add(due(7, 1, 0));
    assertSame(sync, shorts.take(ms(1)));
  }

  @Test
  void manyOfTheGreatestWeightThatHaveToBeginPassTheFirstButAFewTimes() {
    Claim first = be(4, null);
    Claim second = be(4, null);
    shorts.add(be(7, null));
    shorts.add(first);
    shorts.add(second);
    shorts.take(0);
    List<Claim> taken = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      shorts.add(due(0, 1, 0));
      shorts.add(due(0, 1, 0));
      taken.add(shorts.take(ms(1)));
    }
    assertTrue(taken.contains(first) && taken.contains(second), "places " + taken.indexOf(first));
  }

  @Test
  void amongThoseThatAllHaveToBeginTheFirstDeadlineGoes() {
    List<Claim> all = List.of(due(4, 5, 0), due(4, 4, 0), due(4, 3, 0), due(4, 2, 0));
    all.forEach(shorts::add);
    for (int i = all.size() - 1; i >= 0; i--) {
      assertSame(all.get(i), shorts.take(ms(1)));
    }
  }

  @Test
  void whatIsRememberedIsWhatAllOfThemSay() {
    Random random = new Random(29);
    List<Claim> all = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      if (all.isEmpty() || random.nextInt(5) < 3) {
        int level = random.nextInt(8);
        Claim claim =
            random.nextBoolean()
                ? be(level, null)
                : due(level, 50 + random.nextInt(50), random.nextInt(3));
        all.add(claim);
        shorts.add(claim);
      } else if (random.nextBoolean()) {
        shorts.remove(all.remove(random.nextInt(all.size())));
      } else {
        assertTrue(all.remove(shorts.take(ms(random.nextInt(100)))));
      }
      double weight = all.stream().mapToDouble(each -> each.weight).max().orElse(0);
      assertEquals(weight, shorts.greatestWeight());
      long end =
          all.stream()
              .filter(Claim::hasDeadline)
              .mapToLong(held::lastEnd)
              .min()
              .orElse(Long.MAX_VALUE);
      long needed = held.neededNanos(1) + TurnLength.MIN_TURN_NANOS;
      assertEquals(end == Long.MAX_VALUE ? end : end - needed, shorts.dueAt());
      assertEquals(all.isEmpty(), shorts.isEmpty());
    }
  }

  /** To look at all of them for each one takes some 50 s. */
  @Test
  @Timeout(15)
  void thousandsCostNoMoreEachThanAFew() {
    List<Claim> granted = new ArrayList<>();
    Disk scheduler =
        new Disk(settings(0.5), 1, 0, new DiskCounters(), granted::add, realtime -> false);
    int count = 100_000;
    for (int i = 0; i < count; i++) {
      scheduler.ask(due(i % 8, 10_000, i % 3), 0);
    }
    assertEquals(ShortDepth.IN_ORDER, granted.size());
    for (int i = 0; i < granted.size(); i++) {
      scheduler.done(granted.get(i), ms(1));
    }
    scheduler.poll(ms(500));
    assertFalse(scheduler.isAnyWaiting());
    assertEquals(count, granted.size());
  }
}
