// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.security.User;
import org.junit.jupiter.api.Test;

class KnownGroupsTest {

  private static final int NAME_CHARS = 1 << 17;

  /** Without Kerberos a client can be as many users as it likes, with names of any length. */
  @Test
  void whatIsKeptIsBoundedByTheLengthOfNames() {
    KnownGroups groups = new KnownGroups();
    for (int i = 0; i < 64; i++) {
      User user =
          User.createUserForTesting(
              new Configuration(false), i + "u".repeat(NAME_CHARS), new String[] {"g"});
      assertTimeoutPreemptively(Duration.ofSeconds(60), () -> awaitLookUp(groups, user));
    }
    assertTrue(groups.size() <= 32, groups.size() + " users");
    assertTrue(groups.size() > 0);
  }

  /** Short names are many. */
  @Test
  void whatIsKeptBesideTheNamesCountsAsWell() {
    KnownGroups groups = new KnownGroups(64 * KnownGroups.CHARS_OF_USER);
    Configuration conf = new Configuration(false);
    for (int i = 0; i < 200; i++) {
      User user = User.createUserForTesting(conf, "u" + i, new String[0]);
      assertTimeoutPreemptively(Duration.ofSeconds(60), () -> awaitLookUp(groups, user));
    }
    assertTrue(groups.size() <= 64, groups.size() + " users");
    assertTrue(groups.size() > 0);
  }

  private static void awaitLookUp(KnownGroups groups, User user) throws InterruptedException {
    while (groups.of(user) == null) {
      Thread.sleep(1);
    }
    assertNotNull(groups.of(user));
  }
}
