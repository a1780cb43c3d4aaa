// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.IoClass;
import org.junit.jupiter.api.Test;

/** Tests a cap with a clock that stands still. */
class ClassCapTest {

  /** What happens while somebody looks at the clock. */
  private Runnable meanwhile = () -> {};

  private long now() {
    Runnable once = meanwhile;
    meanwhile = () -> {};
    once.run();
    return 0;
  }

  private ClassCap cap(int concurrent, int rate) {
    return new ClassCap(IoClass.IDLE, concurrent, rate, this::now);
  }

  /** Another call may come in the middle of it. */
  @Test
  void aQuestionTakesNoPlace() {
    ClassCap cap = cap(1, 10);
    List<Boolean> reserved = new ArrayList<>();
    meanwhile = () -> reserved.add(cap.tryReserve(1));
    assertTrue(cap.canReserve(1));
    assertEquals(List.of(true), reserved);
    assertFalse(cap.canReserve(1), "that one has the place");
    cap.releaseReserved();
    assertTrue(cap.canReserve(1));
    assertTrue(cap.tryReserve(1));
  }

  @Test
  void aQuestionKnowsTheRate() {
    ClassCap cap = cap(0, 1);
    assertTrue(cap.canReserve(5), "one token is enough");
    assertTrue(cap.tryAcquire(new ArrayList<>()));
    assertFalse(cap.canReserve(1));
  }
}
