// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import static org.hadoopprio.lab.testing.Soon.soon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownGroupsTest {

  private static final int NAME_CHARS = 1000;
  private static final int USERS = 32;

  /** Longer than any test may take. */
  private static final long LONG = TimeUnit.MINUTES.toNanos(10);

  private static final Duration TEST = Duration.ofSeconds(60);
  private static final Collection<String> NONE = List.of();

  private final AtomicLong clock = new AtomicLong();
  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private KnownGroups groups = new KnownGroups(1 << 22, LONG, clock::get);

  @AfterEach
  void end() {
    answer.countDown();
  }

  private void awaitLookUp(String user) {
    soon("the groups are known").until(() -> !isUnknown(ask(user)));
    assertEquals(List.of("g"), ask(user));
  }

  private static boolean isUnknown(Collection<String> names) {
    return names == null || names.isEmpty();
  }

  private Collection<String> ask(String user) {
    return groups.of(user, () -> List.of("g"));
  }

  /** Without Kerberos a client can be as many users as it likes, with names of any length. */
  @Test
  void whatIsKeptIsBoundedByTheLengthOfNames() {
    int chars = USERS * (NAME_CHARS + KnownGroups.CHARS_OF_USER);
    groups = new KnownGroups(chars, LONG, clock::get);
    for (int i = 0; i < 64; i++) {
      awaitLookUp(i + "u".repeat(NAME_CHARS));
    }
    assertEquals(USERS - 1, groups.size(), "a name is longer by two characters");
    assertEquals(List.of("g"), ask(63 + "u".repeat(NAME_CHARS)), "the latest");
  }

  @Test
  void whoHasATooLongNameIsNotLookedUp() {
    String name = "u".repeat(KnownGroups.MAX_NAME_CHARS);
    awaitLookUp(name);
    assertEquals(NONE, await(name + "u", this::none));
    assertEquals(0, asked.get());
  }

  /** Short names are many. */
  @Test
  void whatIsKeptBesideTheNamesCountsAsWell() {
    groups = new KnownGroups(USERS * KnownGroups.CHARS_OF_USER, LONG, clock::get);
    for (int i = 0; i < 200; i++) {
      awaitLookUp("u" + i);
    }
    assertTrue(groups.size() < USERS, groups.size() + " users");
    assertTrue(groups.size() > USERS / 2, groups.size() + " users");
  }

  @Test
  void whoHasBeenIdleIsForgotten() {
    awaitLookUp("ann");
    awaitLookUp("joe");
    clock.addAndGet(KnownGroups.IDLE_NANOS - 1);
    assertEquals(List.of("g"), ask("ann"), "the groups of before");
    clock.incrementAndGet();
    awaitLookUp("zoe");
    assertEquals(2, groups.size(), "joe");
    clock.addAndGet(KnownGroups.IDLE_NANOS);
    assertNull(ask("ann"), "may have left the group");
  }

  private Collection<String> hang() {
    asked.incrementAndGet();
    try {
      answer.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return List.of("late");
  }

  /** Whatever ends a look-up, the next one may begin. */
  @Test
  void anErrorOfTheMappingIsNoLongerUnderWay() {
    assertNull(
        groups.of(
            "ann",
            () -> {
              throw new StackOverflowError("of the test");
            }));
    awaitEnd("ann");
    clock.addAndGet(KnownGroups.FRESH_NANOS + 1);
    awaitLookUp("ann");
  }

  private Collection<String> fail() {
    asked.incrementAndGet();
    throw new IllegalStateException("of the test");
  }

  private Collection<String> none() {
    asked.incrementAndGet();
    return List.of();
  }

  private Collection<String> await(String user, Supplier<Collection<String>> mapping) {
    return assertTimeoutPreemptively(TEST, () -> groups.await(user, mapping));
  }

  @Test
  void aMappingThatAnswersIsWaitedFor() {
    assertEquals(List.of("g"), await("ann", () -> List.of("g")));
  }

  @Test
  void aMappingThatHangsIsNotWaitedForUntilItAnswers() {
    groups = new KnownGroups(NAME_CHARS, TimeUnit.MILLISECONDS.toNanos(1), System::nanoTime);
    assertEquals(NONE, await("ann", this::hang));
    answer.countDown();
    awaitLookUp("ann", List.of("late"));
  }

  private void awaitLookUp(String user, Collection<String> expected) {
    soon("the groups are known").until(() -> !isUnknown(groups.of(user, this::none)));
    assertEquals(expected, groups.of(user, this::none));
  }

  /** Who does not wait is told when he would have waited in vain. */
  @Test
  void aLookUpThatHangsIsAwaitedForAWhileOnly() {
    assertNull(groups.of("ann", this::hang));
    clock.addAndGet(LONG - 1);
    assertNull(groups.of("ann", this::hang));
    clock.incrementAndGet();
    assertEquals(NONE, groups.of("ann", this::hang));
    String tooLong = "u".repeat(KnownGroups.MAX_NAME_CHARS + 1);
    assertEquals(NONE, groups.of(tooLong, this::hang), "nobody looks");
  }

  /** Or each of the many reads of a user would wait, one after the other. */
  @Test
  void whoComesLaterThanTheWaitDoesNotWait() {
    assertNull(groups.of("ann", this::hang));
    soon("the look-up begins").until(() -> asked.get() == 1);
    clock.addAndGet(LONG);
    assertEquals(NONE, await("ann", this::hang));
    assertEquals(1, asked.get(), "the same look-up");
  }

  @Test
  void othersGoOnWhileLookUpsHang() {
    for (int i = 1; i < KnownGroups.THREADS; i++) {
      assertNull(groups.of("u" + i, this::hang));
    }
    assertEquals(List.of("g"), await("ann", () -> List.of("g")));
    assertTrue(KnownGroups.THREADS > 8, "so many hang");
  }

  /**
   * Whose look-up has no thread waits no longer, and who finds no place in the queue not at all.
   */
  @Test
  void behindLookUpsThatHangNothingIsKnown() {
    for (int i = 0; i < KnownGroups.THREADS; i++) {
      assertNull(groups.of("u" + i, this::hang));
    }
    assertNull(groups.of("joe", this::hang));
    clock.addAndGet(LONG);
    assertEquals(NONE, await("joe", this::hang), "queued");
    for (int i = 0; i < 2_000; i++) {
      assertTrue(isUnknown(groups.of("v" + i, this::hang)));
    }
    assertEquals(NONE, await("ann", this::hang), "the queue is full");
    answer.countDown();
    awaitLookUp("joe", List.of("late"));
    soon("the groups are known").until(() -> !groups.await("ann", () -> List.of("g")).isEmpty());
  }

  /** Has known groups looked up again. */
  private void refreshBy(Supplier<Collection<String>> mapping) {
    int before = asked.get();
    clock.addAndGet(KnownGroups.FRESH_NANOS + 1);
    assertEquals(List.of("g"), groups.of("ann", mapping), "those of before");
    awaitEnd("ann");
    assertEquals(before + 1, asked.get());
    assertEquals(List.of("g"), groups.of("ann", mapping), "and after");
  }

  private void awaitEnd(String user) {
    soon("the look-up ends").until(() -> !groups.isLookedUp(user));
  }

  @Test
  void knownGroupsOutlastAMappingThatFailsOrNamesNone() {
    assertEquals(List.of("g"), await("ann", () -> List.of("g")));
    refreshBy(this::fail);
    refreshBy(this::none);
    clock.addAndGet(KnownGroups.FRESH_NANOS + 1);
    groups.of("ann", () -> List.of("h"));
    awaitEnd("ann");
    assertEquals(List.of("h"), groups.of("ann", this::none));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void butNotForEver(boolean fails) {
    Supplier<Collection<String>> mapping = fails ? this::fail : this::none;
    assertEquals(List.of("g"), await("ann", () -> List.of("g")));
    long step = KnownGroups.IDLE_NANOS - 1;
    while (clock.get() + step < KnownGroups.KEPT_NANOS) {
      clock.addAndGet(step);
      assertEquals(List.of("g"), groups.of("ann", mapping));
      awaitEnd("ann");
    }
    clock.set(KnownGroups.KEPT_NANOS);
    assertEquals(NONE, await("ann", mapping), "a directory that cannot be reached names none, too");
  }

  /** A mapping that fails after a while would make each request wait for that while. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoseGroupsCannotBeFoundWaitsOnceInAWhile(boolean fails) {
    Supplier<Collection<String>> mapping = fails ? this::fail : this::none;
    assertEquals(NONE, await("ann", mapping));
    assertEquals(NONE, await("ann", mapping));
    assertEquals(1, asked.get());
    clock.addAndGet(KnownGroups.FRESH_NANOS + 1);
    assertEquals(NONE, groups.of("ann", () -> List.of("g")));
    awaitEnd("ann");
    assertEquals(List.of("g"), groups.of("ann", this::fail));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoHasBeenIdleWaitsOnceInAWhileAsWell(boolean fails) {
    awaitLookUp("ann");
    clock.addAndGet(KnownGroups.IDLE_NANOS);
    whoseGroupsCannotBeFoundWaitsOnceInAWhile(fails);
  }
}
