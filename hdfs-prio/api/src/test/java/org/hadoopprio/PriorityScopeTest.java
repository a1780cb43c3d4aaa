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
}
