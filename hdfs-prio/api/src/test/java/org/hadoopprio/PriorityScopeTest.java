// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PriorityScopeTest {

  @Test
  void scopesNestAndEnd() {
    assertNull(PriorityScope.current());
    try (PriorityScope outer = PriorityScope.open(IoPriority.realtime(3))) {
      try (PriorityScope inner = PriorityScope.open(IoPriority.NONE)) {
        assertEquals(IoPriority.NONE, PriorityScope.current());
      }
      assertEquals(IoPriority.realtime(3), PriorityScope.current());
    }
    assertNull(PriorityScope.current());
  }

  @Test
  void anExceptionEndsTheScope() {
    assertThrows(
        IllegalStateException.class,
        () -> {
          try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
            throw new IllegalStateException();
          }
        });
    assertNull(PriorityScope.current());
  }

  @Test
  void aScopeIsOfItsThread() throws Exception {
    try (PriorityScope scope = PriorityScope.open(IoPriority.IDLE)) {
      assertNull(CompletableFuture.supplyAsync(PriorityScope::current).get());
      assertEquals(
          IllegalStateException.class,
          CompletableFuture.supplyAsync(
                  () -> assertThrows(IllegalStateException.class, scope::close).getClass())
              .get());
    }
    assertNull(PriorityScope.current());
  }

  @Test
  void closingOutOfOrderIsRefusedAndTwiceIsHarmless() {
    PriorityScope outer = PriorityScope.open(IoPriority.IDLE);
    PriorityScope inner = PriorityScope.open(IoPriority.realtime(0));
    assertThrows(IllegalStateException.class, outer::close);
    inner.close();
    inner.close();
    outer.close();
    assertNull(PriorityScope.current());
  }

  @Test
  void nullIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> PriorityScope.open(null));
  }

  @Test
  void aTargetCountsFromTheOpeningOfTheScope() throws Exception {
    try (PriorityScope scope = PriorityScope.open(IoPriority.parse("rt:0@60s"))) {
      Thread.sleep(30);
      IoPriority left = PriorityScope.current();
      assertEquals(IoPriority.realtime(0), left.withoutTarget());
      assertTrue(left.targetMillis() <= 59_970 && left.targetMillis() > 30_000, left.toString());
    }
  }

  @Test
  void aScopeCountsTheReadsThatAreExpectedInIt() {
    assertEquals(0, PriorityScope.readBegins());
    try (PriorityScope output = PriorityScope.open(IoPriority.parse("rt:0@1s"), 3)) {
      assertEquals(2, PriorityScope.readBegins());
      try (PriorityScope other = PriorityScope.open(IoPriority.parse("rt:0@1s"))) {
        assertEquals(0, PriorityScope.readBegins());
      }
      assertEquals(1, PriorityScope.readBegins());
      assertEquals(0, PriorityScope.readBegins());
      // More than expected.
      assertEquals(0, PriorityScope.readBegins());
    }
    assertEquals(
        "0 expected reads are not allowed; allowed: 1 or more",
        assertThrows(IllegalArgumentException.class, () -> PriorityScope.open(IoPriority.IDLE, 0))
            .getMessage());
  }
}
