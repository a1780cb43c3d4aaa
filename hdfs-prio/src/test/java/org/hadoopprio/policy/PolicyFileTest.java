// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.metrics.PolicyStatus;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server shows of the policy in force. */
class PolicyFileTest {

  private static final String KEY = DataNodeKeys.POLICY_FILE.name();

  @TempDir private Path directory;

  private static PolicyStatus shown() {
    return PriorityMetrics.policies().stream()
        .filter(policy -> policy.getKey().equals(KEY))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void versionHashAndRulesAreThoseOfTheFileInForce() throws IOException {
    PolicyFile policy = new PolicyFile(DataNodeKeys.POLICY_FILE);
    assertEquals("none", shown().getHash());
    assertEquals("none", shown().getVersion());
    assertEquals("", shown().getFile());
    assertTrue(shown().isUsable());

    String file =
        Policies.file(
            directory,
            "<io-priority-policy version='7' mode='reject'>",
            "<cap class='be' rate='9'/>",
            "<rule user='*' highest='be:5'/>",
            "<rule user='alice' highest='rt:0'><cap class='rt' concurrent='2'/></rule>",
            "</io-priority-policy>");
    policy.load(file);
    assertEquals(file, shown().getFile());
    assertEquals("7", shown().getVersion());
    // By sha256sum(1).
    assertEquals("d3d61a573764", shown().getHash());
    assertEquals("reject", shown().getMode());
    assertArrayEquals(new String[] {"class be, 9 a second"}, shown().getCaps());
    assertArrayEquals(
        new String[] {
          "rule for user \"alice\" (line 4) allows rt:0; cap for class rt, 2 at a time",
          "rule for user \"*\" (line 3) allows be:5"
        },
        shown().getRules());

    String wrong = Policies.file(directory, "<io-priority-policy version='8' mode='strict'/>");
    assertThrows(IllegalArgumentException.class, () -> policy.load(wrong));
    assertEquals("7", shown().getVersion(), "the old policy stays");
    policy.loadAtStart(wrong);
    assertFalse(shown().isUsable());
    assertEquals("none", shown().getHash());
    policy.load(null);
    assertTrue(shown().isUsable());
    assertEquals(0, shown().getRules().length);
  }
}
