// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.be;
import static org.hadoopprio.disktime.Claims.ms;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads with a latency target that follow one another: the disk is kept for those that come, and
 * not for what is only said to follow.
 */
class ReadChainsTest extends DiskScenario {

  /** A read that so many are to follow; it is in, or held. */
  private Claim inContainer(int following, long millis, long at) {
    Claim read = within(millis, at);
    read.setDeadline(read.demand.deadline, following);
    scheduler.askRealtime(read, OPENING, at);
    return read;
  }

  /** Eight reads that take 10 ms each, with gaps between them; returns when the last has ended. */
  private long container(long millis, long gap, long at) {
    long deadline = at + ms(millis);
    long now = at - gap;
    for (int following = 7; following >= 0; following--) {
      now += gap;
      Claim read = inContainer(following, Math.max(1, (deadline - now) / ms(1)), now);
      now = begin(read, now) + ms(10);
      scheduler.realtimeDone(read, now);
    }
    return now;
  }

  @Test
  void theDiskIsKeptForTheReadsThatFollow() {
    Claim stream = streamIn(0);
    Claim first = inContainer(4, 200, ms(1));
    assertWaits(first);
    assertTrue(scheduler.mayContinue(stream, ms(2)));
    long now = begin(first, ms(2)) + ms(10);
    scheduler.realtimeDone(first, now);
    // Its target leaves time, as fewer follow than was said, but the disk has been kept for it.
    assertFalse(scheduler.mayContinue(stream, now + ms(1)));
    long left = ms(200) - now;
    assertTrue(left > 3 * DiskCosts.LONE_READ_NANOS, left + " ns");
    Claim last = inContainer(0, left / ms(1), now + ms(1));
    assertIn(last);
    scheduler.opened(last, now + ms(1));
    scheduler.realtimeDone(last, now + ms(11));
    assertTrue(scheduler.mayContinue(stream, now + ms(11)));
    // It has been the last, so nothing is known of who comes next.
    assertWaits(inContainer(0, 200, now + ms(12)));
  }

  @Test
  void theDiskIsNotKeptForAReaderThatTakesItsTime() {
    Claim stream = streamIn(0);
    long now = ms(1);
    for (int i = 0; i < 4; i++) {
      now = container(300, ms(10), now) + ms(100);
    }
    Claim read = inContainer(7, 14, now);
    now = begin(read, now);
    scheduler.realtimeDone(read, now + ms(10));
    assertTrue(scheduler.mayContinue(stream, now + ms(10)));
  }

  /** What the reader takes between them counts, too. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 8})
  void readsThatFollowOneAnotherEndShortlyBeforeTheirTarget(int gapMillis) {
    streamIn(0);
    long now = ms(1);
    for (int i = 0; i < 30; i++) {
      long end = container(200, ms(gapMillis), now);
      long left = now + ms(200) - end;
      // The time they take does not vary, so there is no reserve; polled once a millisecond.
      assertTrue(i < 10 || (left >= -ms(2) && left < ms(20)), left + " ns before it");
      now = end + ms(50);
    }
  }

  @Test
  void ifFewerReadsFollowThanExpectedNothingIsLearnedFromIt() {
    Claim stream = streamIn(0);
    long now = ms(1);
    for (int i = 0; i < 20; i++) {
      Claim read = inContainer(3, 14, now);
      now = begin(read, now);
      scheduler.realtimeDone(read, now + ms(10));
      now += ms(100);
    }
    Claim read = inContainer(1, 14, now);
    now = begin(read, now);
    scheduler.realtimeDone(read, now + ms(10));
    long kept = now + ms(10) + 2 * DiskCosts.KEPT_BETWEEN_READS_NANOS;
    assertFalse(scheduler.mayContinue(stream, kept - 1));
    assertTrue(scheduler.mayContinue(stream, kept));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 7, 10_000})
  void aReadIsHeldHoweverManyAreSaidToFollow(int following) {
    streamIn(0);
    assertWaits(inContainer(following, 100, ms(1)));
  }

  private Claim asked(Disk disk, int following, long at) {
    Claim read = within(100, at);
    read.setDeadline(read.demand.deadline, following);
    disk.askRealtime(read, !OPENING, at);
    return read;
  }

  /** Ends those that have been at the disk for 10 ms, takes them out, and returns them. */
  private static List<Claim> endThoseOfTenMillis(Disk disk, List<Claim> reads, long at) {
    List<Claim> ended =
        reads.stream()
            .filter(read -> read.isIn() && at - read.use.enteredAt() >= ms(10))
            .collect(Collectors.toList());
    ended.forEach(read -> disk.realtimeDone(read, at));
    reads.removeAll(ended);
    return ended;
  }

  /** How often reads that take 10 ms interrupt a stream in 10 s, one of which comes each 40 ms. */
  private int interruptions(int following) {
    final Disk disk = scheduler(1);
    Claim stream = be(4, new Stream());
    disk.ask(stream, 0);
    List<Claim> reads = new ArrayList<>();
    int interruptions = 0;
    for (long at = ms(1); at < ms(10_000); at += ms(1)) {
      if (at % ms(40) == 0) {
        reads.add(asked(disk, following, at));
      }
      disk.poll(at);
      endThoseOfTenMillis(disk, reads, at);
      if (stream.isIn()) {
        stream.read(128 << 10);
        boolean stops = !disk.mayContinue(stream, at) && !disk.ask(stream, at);
        interruptions += stops ? 1 : 0;
      }
    }
    return interruptions;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 7, 10_000})
  void whateverIsSaidToFollowStreamsAreInterruptedTwiceAsOftenAtMost(int following) {
    int without = interruptions(0);
    int with = interruptions(following);
    assertTrue(with <= 2 * without, with + " times, " + without + " if none follow");
  }

  /**
   * For how long reads of 10 ms are held on average that so many others are said to follow, in ns.
   * When one has been read the next one comes at once.
   */
  private long heldNanos(int readers, int following) {
    final Disk disk = scheduler(1);
    disk.ask(be(4, new Stream()), 0);
    return heldNanos(disk, readers, following);
  }

  private long heldNanos(Disk disk, int readers, int following) {
    List<Claim> reads = new ArrayList<>();
    long nanos = 0;
    int done = 0;
    for (long at = ms(1); at < ms(5_000); at += ms(1)) {
      while (reads.size() < readers) {
        reads.add(asked(disk, following, at));
      }
      disk.poll(at);
      for (Claim read : endThoseOfTenMillis(disk, reads, at)) {
        nanos += read.use.enteredAt() - read.askedAt;
        done++;
      }
    }
    return nanos / done;
  }

  /** Who says each time that as many follow reads no several. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void whatDoesNotFollowIsHeldForHalfOfTheTimeAtLeast(int readers) {
    long without = heldNanos(readers, 0);
    long with = heldNanos(readers, 10_000);
    assertTrue(with > without / 2, with + " ns, " + without + " if none follow");
  }

  /** One says that 10 000 follow it within a minute, and others that they are those. */
  @Test
  void whoeverSaysThatItFollowsNoMoreFollowAtOnceThanOneReaderReads() {
    final Disk disk = scheduler(1);
    disk.ask(be(4, new Stream()), 0);
    Claim first = within(60_000, 0);
    first.setDeadline(first.demand.deadline, 10_000);
    disk.askRealtime(first, !OPENING, 0);
    disk.poll(ms(1));
    assertIn(first);
    disk.realtimeDone(first, ms(1));
    long without = heldNanos(8, 0);
    long with = heldNanos(disk, 8, 9_999);
    assertTrue(with > without / 2, with + " ns, " + without + " if none follow");
  }
}
