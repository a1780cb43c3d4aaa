// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RolePrioritiesTest {

  private static RolePriorities parse(String text) {
    return RolePriorities.parse(text, IoRole.Daemon.DATANODE);
  }

  @Test
  void whatWritersWaitForIsNeverIdle() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    RolePriorities.parse(
                        "flush=idle, compaction-urgent=idle", IoRole.Daemon.REGIONSERVER))
            .getMessage();
    assertTrue(message.contains("compaction-urgent cannot be idle"), message);
  }

  @Test
  void eachRoleHasItsOwn() {
    RolePriorities roles = parse("balancer = be:7,block-scanner=idle");
    assertEquals(IoPriority.bestEffort(7), roles.of(IoRole.BALANCER));
    assertEquals(IoPriority.IDLE, roles.of(IoRole.BLOCK_SCANNER));
    assertNull(roles.of(IoRole.RE_REPLICATION));
  }

  @Test
  void noneIsNoPriority() {
    RolePriorities roles = parse("balancer=none");
    assertNull(roles.of(IoRole.BALANCER));
    assertNull(parse("none").of(IoRole.BALANCER));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"balancer", "flush=be:7", "balancer=be:8", "balancer=be:7,balancer=idle", "=be:7"})
  void whatIsNotAllowedIsNamedWithKeyAndValue(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> DataNodeKeys.ROLES.parse(text));
    String message = refused.getMessage();
    assertTrue(
        message.startsWith("dfs.datanode.io.priority.roles = \"" + text + "\": ")
            && message.contains("allowed: "),
        message);
  }

  @Test
  void ownWorkIsNeverRealtime() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> DataNodeKeys.ROLES.parse("balancer=rt:7"));
    assertTrue(refused.getMessage().contains("allowed: be:0 to be:7"), refused.getMessage());
  }

  @Test
  void allRolesHaveADefault() {
    RolePriorities roles = DataNodeKeys.ROLES.defaultValue();
    for (IoRole role : IoRole.values()) {
      IoPriority expected =
          role.daemon() == IoRole.Daemon.DATANODE ? IoPriority.bestEffort(7) : null;
      assertEquals(expected, roles.of(role), role.toString());
    }
  }
}
