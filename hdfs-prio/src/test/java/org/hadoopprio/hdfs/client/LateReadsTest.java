// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.hadoopprio.IoPriority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LateReadsTest {

  @AfterEach
  void leaveNothingBehind() {
    CurrentPriority.setProvider(null);
    CurrentPriority.leaveClient(ClientDefaults.NONE);
  }

  @Test
  void aProviderThatFailsLeavesNoOtherDefaultOnTheThread() {
    IllegalStateException failure = new IllegalStateException("test");
    CurrentPriority.setProvider(
        () -> {
          throw failure;
        });
    ClientDefaults idle = new ClientDefaults(IoPriority.IDLE, null);
    CurrentPriority.enterClient(idle);
    assertEquals(failure, assertThrows(IllegalStateException.class, () -> LateReads.begin(null)));
    assertEquals(idle, ClientContext.ofThread().defaults);
  }
}
