// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NativeCallsTest {

  @Test
  void aThreadKeepsItsInterrupt() {
    Thread.currentThread().interrupt();
    NativeCalls.keepingInterrupt(Thread::interrupted);
    assertTrue(Thread.interrupted());
    NativeCalls.keepingInterrupt(() -> {});
    assertFalse(Thread.interrupted(), "it had none");
  }
}
