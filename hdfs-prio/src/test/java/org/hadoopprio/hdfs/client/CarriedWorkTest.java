// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.role.WorkScope;
import org.junit.jupiter.api.Test;

class CarriedWorkTest {

  @Test
  void workHasThePriorityOfTheThreadThatHasMadeItOnce() {
    Object work = new Object();
    try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
      CarriedWork.made(work);
    }
    PriorityScope running = CarriedWork.runs(work);
    assertEquals(IoPriority.IDLE, PriorityScope.current());
    WorkScope.close(running);
    assertNull(PriorityScope.current());
    assertNull(CarriedWork.runs(work));
  }

  @Test
  void workWithoutAPriorityHasNone() {
    Object work = new Object();
    CarriedWork.made(work);
    assertNull(CarriedWork.runs(work));
  }
}
