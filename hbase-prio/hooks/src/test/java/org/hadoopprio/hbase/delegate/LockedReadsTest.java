// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.delegate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.role.WorkScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LockedReadsTest {

  @BeforeEach
  void etlHasLessThanOthers() {
    ServedCalls.setListener(
        new ServerListener() {
          @Override
          public void callStarted() {}

          @Override
          public void callEnded(Object result) {}

          @Override
          public IoPriority priority() {
            return null;
          }

          @Override
          public IoPriority scanPriority() {
            return null;
          }

          @Override
          public String raised(String tenant) {
            return tenant.equals("etl") ? "default" : tenant;
          }

          @Override
          public Throwable reconfigure(Configuration conf) {
            return null;
          }
        });
  }

  @AfterEach
  void noListener() {
    ServedCalls.setListener(null);
  }

  @Test
  void aTenantThatHasLessIsNotNamedUnderALock() {
    IoPriority be2 = IoPriority.bestEffort(2);
    try (PriorityScope work = PriorityScope.open(be2, null, 0, "etl")) {
      PriorityScope locked = LockedReads.open();
      assertEquals("default", PriorityScope.currentTenant());
      assertEquals(be2, PriorityScope.current(), "it keeps its priority");
      WorkScope.close(locked);
      assertEquals("etl", PriorityScope.currentTenant());
    }
    try (PriorityScope work = PriorityScope.open(IoPriority.IDLE, null, 0, "shop")) {
      PriorityScope locked = LockedReads.open();
      assertEquals("shop", PriorityScope.currentTenant());
      assertEquals(IoPriority.NONE, PriorityScope.current());
      WorkScope.close(locked);
    }
    try (PriorityScope work = PriorityScope.open(be2, null, 0, "shop")) {
      assertNull(LockedReads.open());
    }
  }
}
