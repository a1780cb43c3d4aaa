// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.delegate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.CachingStrategyProto;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.role.WorkScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoleScopesTest {

  @BeforeEach
  void everyRoleIsIdle() {
    RoleScopes.setSource(
        new RoleSource() {
          @Override
          public IoPriority priorityOf(IoRole role) {
            return role == IoRole.COMPACTION_MAJOR ? null : IoPriority.IDLE;
          }

          @Override
          public String tenantOf(Object store) {
            return "etl";
          }

          @Override
          public IoRole ofFlush(Object store) {
            return IoRole.FLUSH;
          }

          @Override
          public IoRole ofCompaction(Object store, Object request) {
            return IoRole.COMPACTION_MAJOR;
          }
        });
  }

  @AfterEach
  void noSource() {
    RoleScopes.setSource(null);
    OffSwitch.set("test", Set.of(), "");
  }

  private static Hint stamped() throws Exception {
    CachingStrategyProto.Builder operation = CachingStrategyProto.newBuilder();
    RoleScopes.stamp(IoRole.WAL, operation);
    return PriorityField.read(operation.build());
  }

  @Test
  void whileTheModuleIsOffNoRoleHasAPriority() throws Exception {
    OffSwitch.set("test", Set.of(AgentModule.REGION_WORK), "a test");
    assertNull(RoleScopes.open(IoRole.PREFETCH));
    assertNull(RoleScopes.openFlush(this));
    assertNull(RoleScopes.openLog());
    assertEquals(Hint.NOTHING, stamped());
    OffSwitch.set("test", Set.of(), "");
    PriorityScope scope = RoleScopes.openFlush(this);
    assertEquals(IoPriority.IDLE, PriorityScope.current());
    assertEquals("etl", PriorityScope.currentTenant());
    WorkScope.close(scope);
    assertEquals(IoRole.WAL, stamped().role());
  }

  @Test
  void aTenantTakesNoPriorityAwayFromTheWorkAround() {
    try (PriorityScope around = PriorityScope.open(IoPriority.bestEffort(0), IoRole.WAL_RECOVERY)) {
      PriorityScope scope = RoleScopes.openCompaction(this, this);
      assertEquals("etl", PriorityScope.currentTenant());
      assertEquals(IoPriority.bestEffort(0), PriorityScope.current());
      assertEquals(IoRole.WAL_RECOVERY, PriorityScope.currentRole());
      WorkScope.close(scope);
      assertNull(PriorityScope.currentTenant());
    }
  }
}
