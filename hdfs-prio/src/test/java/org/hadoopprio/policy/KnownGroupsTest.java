// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class KnownGroupsTest {

  private static final int NAME_CHARS = 1 << 17;
  private static final int USERS = 32;

  private final AtomicLong clock = new AtomicLong();
  private KnownGroups groups = new KnownGroups(USERS * NAME_CHARS, clock::get);

  private void awaitLookUp(String user) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          while (ask(user) == null) {
            Thread.sleep(1);
          }
        });
    assertEquals(List.of("g"), ask(user));
  }

  private Collection<String> ask(String user) {
    return groups.of(user, () -> List.of("g"));
  }

  /** Without Kerberos a client can be as many users as it likes, with names of any length. */
  @Test
  void whatIsKeptIsBoundedByTheLengthOfNames() {
    for (int i = 0; i < 64; i++) {
      awaitLookUp(i + "u".repeat(NAME_CHARS));
    }
    assertEquals(USERS - 1, groups.size(), "with what is kept beside");
    assertEquals(List.of("g"), ask(63 + "u".repeat(NAME_CHARS)), "the latest");
  }

  /** Short names are many. */
  @Test
  void whatIsKeptBesideTheNamesCountsAsWell() {
    groups = new KnownGroups(USERS * KnownGroups.CHARS_OF_USER, clock::get);
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
}
