// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.off.SwitchedOff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CurrentPriorityTest {

  @AfterEach
  void noProvider() {
    CurrentPriority.setProvider(null);
  }

  @Test
  void nothingStatedIsNull() {
    assertNull(CurrentPriority.get());
  }

  @Test
  void theStrongestSourceWins() {
    IoPriority before = CurrentPriority.enterClient(IoPriority.IDLE);
    assertEquals(IoPriority.IDLE, CurrentPriority.get());
    CurrentPriority.setProvider(() -> IoPriority.bestEffort(2));
    assertEquals(IoPriority.bestEffort(2), CurrentPriority.get());
    try (PriorityScope scope = PriorityScope.open(IoPriority.realtime(1))) {
      assertEquals(IoPriority.realtime(1), CurrentPriority.get());
    }
    CurrentPriority.setProvider(() -> null);
    assertEquals(IoPriority.IDLE, CurrentPriority.get());
    CurrentPriority.leaveClient(before);
    assertNull(CurrentPriority.get());
  }

  /** A hedged read's thread binds the client's default itself, above the environment. */
  @Test
  void onlyTheWorksOwnPriorityIsCarriedToAnotherThread() {
    IoPriority before = CurrentPriority.enterClient(IoPriority.IDLE);
    assertNull(CurrentPriority.ofWork());
    CurrentPriority.setProvider(() -> IoPriority.bestEffort(2));
    assertEquals(IoPriority.bestEffort(2), CurrentPriority.ofWork());
    try (PriorityScope scope = PriorityScope.open(IoPriority.realtime(1))) {
      assertEquals(IoPriority.realtime(1), CurrentPriority.ofWork());
    }
    CurrentPriority.leaveClient(before);
  }

  /** As the priority itself: the scope's before the provider's. */
  @Test
  void whoStatesThePriorityKnowsHowManyReadsFollow() {
    CurrentPriority.setProvider(
        new PriorityProvider() {
          @Override
          public IoPriority current() {
            return IoPriority.parse("rt:0@1s");
          }

          @Override
          public int readBegins() {
            return 7;
          }
        });
    assertEquals(7, CurrentPriority.readBegins());
    try (PriorityScope scope = PriorityScope.open(IoPriority.parse("rt:1@1s"), 3)) {
      assertEquals(2, ClientReads.readHint().following());
      assertEquals(1, ClientReads.readHint().following());
    }
    try (PriorityScope scope = PriorityScope.open(IoPriority.parse("rt:1@1s"))) {
      assertEquals(0, ClientReads.readHint().following());
    }
    assertEquals(7, ClientReads.readHint().following());
  }

  @Test
  void clientsNest() {
    IoPriority outer = CurrentPriority.enterClient(IoPriority.IDLE);
    IoPriority inner = CurrentPriority.enterClient(null);
    assertNull(CurrentPriority.get());
    CurrentPriority.leaveClient(inner);
    assertEquals(IoPriority.IDLE, CurrentPriority.get());
    CurrentPriority.leaveClient(outer);
    assertNull(CurrentPriority.get());
  }

  @Test
  void theEnvironmentIsReadAndAMalformedOneIsNotUsed() {
    assertEquals(IoPriority.IDLE, CurrentPriority.readEnvironment("idle"));
    assertNull(CurrentPriority.readEnvironment("turbo"));
    assertNull(CurrentPriority.readEnvironment(""));
    assertNull(CurrentPriority.readEnvironment(null));
  }

  @Test
  void nothingIsStatedWhileAllIsOff() {
    try (PriorityScope scope = PriorityScope.open(IoPriority.parse("rt:1@1s"), 3);
        SwitchedOff off = SwitchedOff.all()) {
      assertEquals(Hint.NOTHING, ClientReads.readHint());
      assertNull(LateReads.begin(null));
    }
  }
}
