// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which stream goes next. Each has used one turn of disk time when it waits again. */
class ShareTest {

  private static final long TURN = Claims.ms(50);
  private static final int STREAMS = 8;

  private final Share all = new Share(null, () -> 1);
  private long now = Claims.ms(1000);
  private final List<Stream> streams = new ArrayList<>();
  private final Random random = new Random(5);

  private void add(long place) {
    addTo(all, place);
  }

  private void addTo(Share share, long place) {
    Stream stream = new Stream();
    Claim claim = Claims.be(4, stream);
    claim.setPlace(place);
    stream.waiting.add(claim);
    streams.add(stream);
    stream.waitsIn(share, now, TURN);
  }

  /** Gives a turn, after which the stream waits again. */
  private Stream take(long arm) {
    Stream taken = all.take(new Share.Choice(now, -1, TURN, arm, 1));
    now += TURN;
    taken.left(taken.waiting.peek(), TURN, now);
    taken.waitsIn(taken.whole, now, TURN);
    return taken;
  }

  /** Each stream at its index has a turn, the first one first. */
  private void oneRound() {
    for (Stream stream : streams) {
      assertEquals(stream, take(Claim.UNKNOWN_PLACE));
    }
  }

  @Test
  void theNearestIsTakenUntilItHasUsedMoreThanItsWayIsWorth() {
    for (long place : new long[] {100, 510, 900, 800, 0, 300, 500, 200}) {
      add(place);
    }
    assertEquals(streams.get(6), take(500));
    assertEquals(streams.get(1), take(500), "the one at 500 has used a turn more");
    assertEquals(streams.get(5), take(500), "and the one at 510, too");
  }

  @Test
  void whatHasWaitedForMoreThanARoundIsTakenWhereverItIs() {
    add(1_000_000);
    for (int i = 1; i < STREAMS; i++) {
      add(i);
    }
    int turns = 1;
    while (take(0) != streams.get(0)) {
      turns++;
    }
    assertTrue(turns >= STREAMS && turns < 1.5 * STREAMS, turns + " turns");
  }

  @Test
  void withoutPlacesTheLongestWaitCounts() {
    for (int i = 0; i < STREAMS; i++) {
      add(i % 2 == 0 ? Claim.UNKNOWN_PLACE : i);
    }
    oneRound();
    oneRound();
    assertEquals(streams.get(3), take(3), "the nearest of those of which it is known");
  }

  @Test
  void turnsAreNearEachOtherAndEachStreamHasEquallyMany() {
    for (int i = 0; i < 2 * STREAMS; i++) {
      add(random.nextInt(1000));
    }
    double ratio = distance(true) / distance(false);
    assertTrue(ratio < 0.9, "ratio " + ratio);
  }

  /** Another level is another {@link Share}, and nothing else. */
  @Test
  void eachLevelIsSharedOutByItsPortions() {
    Share first = new Share(all, () -> 3);
    Share second = new Share(all, () -> 1);
    Share large = new Share(first, () -> 2);
    Share small = new Share(first, () -> 1);
    List<Share> leaves = List.of(large, small, second);
    leaves.forEach(each -> addTo(each, Claim.UNKNOWN_PLACE));
    int[] turns = new int[leaves.size()];
    for (int i = 0; i < 400; i++) {
      turns[leaves.indexOf(take(Claim.UNKNOWN_PLACE).whole)]++;
    }
    assertEquals(200, turns[0], 2);
    assertEquals(100, turns[1], 2);
    assertEquals(100, turns[2], 2);
    assertEquals(400.0 * TURN, all.virtualTime, "what was used is charged up the tree");
  }

  /** The mean distance from the arm, which is anywhere before each second turn, to the stream. */
  private double distance(boolean known) {
    int[] turns = new int[streams.size()];
    double sum = 0;
    long arm = 0;
    int all = 100 * streams.size();
    for (int i = 0; i < all; i++) {
      Stream taken = take(known ? arm : Claim.UNKNOWN_PLACE);
      turns[streams.indexOf(taken)]++;
      long place = taken.waiting.peek().demand.place;
      sum += Math.abs(place - arm);
      arm = i % 2 == 0 ? place : random.nextInt(1000);
    }
    for (int each : turns) {
      assertEquals(100, each, 5);
    }
    return sum / all;
  }
}
