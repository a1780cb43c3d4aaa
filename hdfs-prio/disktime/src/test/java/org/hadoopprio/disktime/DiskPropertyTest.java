// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.hadoopprio.disktime.Claims.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What always holds, whatever reads do and in whatever order. */
class DiskPropertyTest {

  private static final int EVENTS = 20_000;
  private static final int MOST_READS = 80;

  /** Reads that do anything that a read may do, at random. */
  private static final class Load {

    private final Random random;
    private final int streams;
    private final Disk scheduler;
    private final DiskCounters counters = new DiskCounters();
    private final BlameCheck blame = new BlameCheck(counters);
    private final List<Stream> scans = new ArrayList<>();
    private final Set<Claim> reads = new LinkedHashSet<>();
    private final Set<Claim> granted = new LinkedHashSet<>();
    private final List<Tenant> tenants = new ArrayList<>();
    private final double limit;
    private boolean strangers;
    private long now;

    /** The real-time reads at the disk, and when that last changed. */
    private Set<Claim> atDisk = Set.of();

    private long progressAt;

    /** What was used and who was in at the last look at that, and when it was. */
    private final Map<DiskClass, Long> used = new EnumMap<>(DiskClass.class);

    private final Map<DiskClass, Long> in = new EnumMap<>(DiskClass.class);
    private long lookedAt;

    /**
     * One that has begun nothing.
     *
     * @param tenants how many there are; 0 for the default one
     * @param limit of their use
     */
    Load(long seed, int tenants, double limit) {
      random = new Random(seed);
      this.limit = limit;
      for (int i = 0; i < tenants; i++) {
        this.tenants.add(new Tenant("t" + i));
      }
      streams = 1 + random.nextInt(3);
      now = random.nextLong() / 4;
      for (int i = 0; i < 12; i++) {
        scans.add(new Stream());
      }
      scheduler =
          new Disk(settings(), streams, now, counters, this::granted, realtimeReads -> strangers);
      lookedAt = now;
    }

    private DiskSettings settings() {
      double[] shares = {0.001, 0.3, 0.7, 1};
      return new DiskSettings(
          shares[random.nextInt(shares.length)],
          1 << (16 + random.nextInt(10)),
          ms(1 + random.nextInt(200)),
          0.001 + random.nextDouble() / 3);
    }

    private void granted(Claim claim) {
      assertEquals(Claim.State.IN, claim.state());
      granted.add(claim);
      blame.ended(claim, now);
      lookAtDisk();
      if (claim.isRealtime()) {
        long in =
            reads.stream()
                .filter(each -> each.realtime.counted || (each.realtime.opening && each.isIn()))
                .count();
        assertTrue(in <= RealtimeReads.REALTIME_DEPTH, in + " real-time reads");
      } else {
        assertTrue(
            atDisk.isEmpty()
                || scheduler.isRealtimePaused(Claims.realtime())
                || now - progressAt >= RealtimeReads.MAX_HELD_BACK_NANOS,
            "let in beside real-time");
        assertNobodyIsPassedOver(claim);
      }
    }

    /** Who has waited for 10 s has the next turn among those of its share. */
    private void assertNobodyIsPassedOver(Claim claim) {
      long old = now - TurnQueue.OLD_NANOS;
      boolean begins = claim.stream != null && claim.turn.begunAt == now && claim.turn.in == 1;
      if (begins && claim.askedAt() >= old && claim.turn.bytes == 0) {
        for (Claim each : reads) {
          boolean waits = each.isWaiting() && each.stream != null && each.stream.turn == null;
          boolean isFirst = waits && each.stream.waiting.peekFirst() == each;
          boolean isOld = isFirst && each.askedAt() < old;
          boolean isPassed = isOld && each.stream.whole == claim.turn.share;
          assertFalse(isPassed, "passed over after " + (now - each.askedAt()) + " ns");
        }
      }
    }

    private void lookAtDisk() {
      Set<Claim> counted = new LinkedHashSet<>();
      for (Claim each : reads) {
        if (each.realtime.counted) {
          counted.add(each);
        }
      }
      if (!counted.equals(atDisk)) {
        atDisk = counted;
        progressAt = now;
      }
    }

    void event() {
      int kind = random.nextInt(100);
      if (kind < 30) {
        pass();
      } else if (kind < 50) {
        begin();
      } else if (kind < 95) {
        goOn();
      } else if (kind < 98) {
        scheduler.poll(now);
      } else if (kind < 99) {
        strangers = random.nextBoolean();
      } else {
        scheduler.setSettings(settings(), now);
        for (Tenant each : tenants) {
          double guarantee = random.nextBoolean() ? 0 : random.nextDouble() / tenants.size();
          double most = random.nextBoolean() ? 1 : Math.max(limit, guarantee);
          each.setTerms(new Tenant.Terms(0.01 + random.nextInt(100), guarantee, most));
        }
      }
      check();
    }

    private void pass() {
      int kind = random.nextInt(1000);
      if (kind < 900) {
        now += (long) (random.nextDouble() * ms(3));
      } else if (kind < 998) {
        now += (long) (random.nextDouble() * ms(60));
      } else {
        now += (long) (random.nextDouble() * ms(15_000));
      }
      if (random.nextBoolean()) {
        scheduler.poll(now);
      }
    }

    private void begin() {
      if (reads.size() >= MOST_READS) {
        return;
      }
      Claim claim;
      int kind = random.nextInt(10);
      if (kind < 4) {
        claim = Claims.realtime();
        claim.setContinues(random.nextInt(3) == 0);
        addTarget(claim);
        addTenant(claim);
        reads.add(claim);
        scheduler.askRealtime(claim, random.nextBoolean(), now);
        blame.asked(claim, now);
        return;
      }
      Stream stream = kind < 5 ? null : scans.get(random.nextInt(scans.size()));
      claim = kind < 9 ? Claims.be(random.nextInt(8), stream) : Claims.idle(stream);
      addTarget(claim);
      addTenant(claim);
      claim.setPlace(random.nextInt(4) == 0 ? Claim.UNKNOWN_PLACE : random.nextInt(1 << 20));
      reads.add(claim);
      ask(claim);
    }

    private void ask(Claim claim) {
      scheduler.ask(claim, now);
      blame.asked(claim, now);
    }

    private void addTenant(Claim claim) {
      if (!tenants.isEmpty()) {
        Tenant whose = tenants.get(random.nextInt(tenants.size()));
        claim.setOwner(new Owner(claim.diskClass(), whose, "role " + random.nextInt(3)));
      }
    }

    private void addTarget(Claim claim) {
      if (random.nextInt(3) == 0) {
        claim.setDeadline(now + ms(1 + random.nextInt(300)), 0);
      }
    }

    private void goOn() {
      if (reads.isEmpty()) {
        return;
      }
      Claim claim = new ArrayList<>(reads).get(random.nextInt(reads.size()));
      if (claim.isWaiting()) {
        if (random.nextInt(20) == 0) {
          scheduler.withdraw(claim, now);
          blame.ended(claim, now);
          assertEquals(Claim.State.OUT, claim.state());
          reads.remove(claim);
        }
      } else if (claim.isRealtime()) {
        realtimeGoesOn(claim);
      } else {
        lowerGoesOn(claim);
      }
    }

    private void realtimeGoesOn(Claim claim) {
      int kind = random.nextInt(4);
      if (kind == 0 && claim.isIn()) {
        scheduler.opened(claim, now);
      } else if (kind == 1 && claim.isIn()) {
        scheduler.paused(claim, now);
      } else if (kind == 2) {
        scheduler.resumed(claim, now);
      } else {
        reads.remove(claim);
        scheduler.realtimeDone(claim, now);
        assertEquals(Claim.State.OUT, claim.state());
      }
    }

    private void lowerGoesOn(Claim claim) {
      int kind = random.nextInt(10);
      if (kind < 5) {
        claim.read(64 << 10);
        claim.resume(now);
        if (!scheduler.mayContinue(claim, now)) {
          ask(claim);
        }
      } else if (kind < 8) {
        claim.pause(now);
      } else {
        scheduler.done(claim, now);
        reads.remove(claim);
        assertEquals(Claim.State.OUT, claim.state());
      }
    }

    private void check() {
      lookAtDisk();
      long waiting = 0;
      Set<Turn> turns = new LinkedHashSet<>();
      Set<Stream> withTurn = new LinkedHashSet<>();
      Set<Turn> ofStreams = new LinkedHashSet<>();
      for (Claim each : reads) {
        waiting += each.isWaiting() ? 1 : 0;
        if (each.isRealtime()) {
          continue;
        }
        if (each.isIn()) {
          assertNotNull(each.turn);
          assertEquals(each.stream, each.turn.stream);
          assertTrue(each.stream != null || each.turn.queue.tenant() == each.tenant(), "whose");
          turns.add(each.turn);
          if (each.stream != null) {
            withTurn.add(each.stream);
            ofStreams.add(each.turn);
          }
        } else {
          assertNull(each.turn);
        }
      }
      assertEquals(waiting, scheduler.waiting());
      assertEquals(waiting > 0, scheduler.isAnyWaiting());
      assertTrue(turns.size() <= streams, "turns");
      assertTrue(withTurn.size() <= streams, "streams");
      assertEquals(ofStreams.size(), withTurn.size(), "turns of a stream");
      for (Turn turn : turns) {
        long in = reads.stream().filter(each -> each.turn == turn).count();
        assertEquals(in, turn.in);
        assertTrue(turn.stream != null || in <= ShortDepth.MOST, "short reads");
      }
      assertTrue(scheduler.untilDue(now) > 0, "due");
      assertWorkConserving();
      assertUsedIsCharged();
    }

    /** Nobody is in, and one waits: then it is its turn soon. */
    private void assertWorkConserving() {
      boolean anyIn = reads.stream().anyMatch(Claim::isIn);
      if (!anyIn && scheduler.isLowerWaiting() && limit >= 1) {
        assertTrue(scheduler.untilDue(now) <= Disk.MAX_IDLE_NANOS, "idle");
      }
    }

    /** Real-time is charged for no more than the time, a turn for the time of each read in it. */
    private void assertUsedIsCharged() {
      for (DiskClass each : DiskClass.values()) {
        long before = used.getOrDefault(each, 0L);
        long after = scheduler.usedNanos(each, now);
        long most = each == DiskClass.REALTIME ? 1 : in.getOrDefault(each, 0L);
        assertTrue(after >= before, each + " has used less than before");
        assertTrue(after - before <= most * (now - lookedAt), each + " is charged too much");
        used.put(each, after);
        in.put(each, reads.stream().filter(r -> r.isIn() && r.diskClass() == each).count());
      }
      lookedAt = now;
    }

    /** Nothing could have gone much before the time at which the scheduler wants to be polled. */
    void idleUntilDue() {
      scheduler.poll(now);
      // With fewer that wait than before, turns are longer.
      scheduler.poll(now);
      check();
      if (anyRealtimeWaitsForAPlace()) {
        // The account may close meanwhile.
        return;
      }
      long due = Math.min(scheduler.untilDue(now), RealtimeReads.MAX_HELD_BACK_NANOS);
      for (Claim each : reads) {
        if (each.isIn() && now + due - each.use.seenAt() >= Disk.LOST_NANOS) {
          return;
        }
      }
      granted.clear();
      long late = RealtimeReads.CONTENDED_NANOS;
      now += (long) (random.nextDouble() * Math.max(0, due - late));
      scheduler.poll(now);
      assertEquals(Set.of(), granted, "could have gone before");
      check();
    }

    private boolean anyRealtimeWaitsForAPlace() {
      return reads.stream()
          .anyMatch(t -> t.isRealtime() && t.isWaiting() && !scheduler.isRealtimePaused(t));
    }

    /** All that are in leave, and those that they let in, until nothing is left. */
    void drain() {
      long begun = now;
      while (!reads.isEmpty()) {
        for (Claim each : List.copyOf(reads)) {
          if (each.isWaiting()) {
            continue;
          }
          reads.remove(each);
          if (each.isRealtime()) {
            scheduler.realtimeDone(each, now);
          } else {
            scheduler.done(each, now);
          }
          check();
        }
        boolean anyIn = reads.stream().anyMatch(each -> each.isIn());
        now += anyIn || reads.isEmpty() ? 0 : scheduler.untilDue(now);
        scheduler.poll(now);
        check();
        assertTrue(now - begun < ms(10_000) / limit, scheduler.waiting() + " wait for ever");
      }
      assertEquals(0, scheduler.waiting());
    }

    void assertBlameAddsUp() {
      blame.assertAddsUp();
      assertEquals(Math.max(1, tenants.size()), counters.tenants().size());
    }

    Collection<Claim> reads() {
      return reads;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatAlwaysHolds(long seed) {
    run(new Load(seed, 0, 1));
  }

  @ParameterizedTest
  @CsvSource({"11, 2, 1", "12, 3, 1", "13, 9, 1", "14, 2, 0.5", "15, 5, 0.2"})
  void itHoldsForTenants(long seed, int tenants, double limit) {
    run(new Load(seed, tenants, limit));
  }

  private static void run(Load load) {
    for (int i = 0; i < EVENTS; i++) {
      load.event();
      if (i % 500 == 0) {
        load.drain();
      } else if (i % 10 == 0) {
        load.idleUntilDue();
      }
    }
    load.drain();
    assertEquals(0, load.reads().size());
    load.assertBlameAddsUp();
  }
}
