// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.disktime.Tenant;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.off.SwitchedOff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CurrentPriorityTest {

  private static final ClientDefaults IDLE = new ClientDefaults(IoPriority.IDLE, null);

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
    ClientDefaults before = CurrentPriority.enterClient(IDLE);
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
    ClientDefaults before = CurrentPriority.enterClient(IDLE);
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
    ClientDefaults outer = CurrentPriority.enterClient(IDLE);
    ClientDefaults inner = CurrentPriority.enterClient(ClientDefaults.NONE);
    assertNull(CurrentPriority.get());
    CurrentPriority.leaveClient(inner);
    assertEquals(IoPriority.IDLE, CurrentPriority.get());
    CurrentPriority.leaveClient(outer);
    assertNull(CurrentPriority.get());
  }

  @Test
  void theEnvironmentIsReadAndAMalformedOneIsNotUsed() {
    assertEquals(IoPriority.IDLE, environment("idle"));
    assertNull(environment("turbo"));
    assertNull(environment(""));
    assertNull(CurrentPriority.readEnvironment("X", Map.of(), IoPriority::parse));
    assertNull(CurrentPriority.readEnvironment("X", Map.of("X", "a b"), Tenant::requireName));
  }

  private static IoPriority environment(String value) {
    return CurrentPriority.readEnvironment("X", Map.of("X", value), IoPriority::parse);
  }

  /** As the priority, but a scope that states none leaves it to the one around. */
  @Test
  void theStrongestSourceOfATenantWins() {
    assertNull(CurrentPriority.tenant());
    ClientDefaults before = CurrentPriority.enterClient(new ClientDefaults(null, "client"));
    assertEquals("client", CurrentPriority.tenant());
    CurrentPriority.setProvider(
        new PriorityProvider() {
          @Override
          public IoPriority current() {
            return IoPriority.bestEffort(2);
          }

          @Override
          public String tenant() {
            return "call";
          }
        });
    assertEquals("call", CurrentPriority.tenant());
    assertEquals("call", ClientReads.hint().tenant());
    try (PriorityScope scope = PriorityScope.open(null, null, 0, "work")) {
      assertEquals(IoPriority.bestEffort(2), CurrentPriority.get(), "the scope states none");
      try (PriorityScope inner = PriorityScope.open(IoPriority.IDLE)) {
        assertEquals("work", ClientReads.hint().tenant());
        assertEquals(IoPriority.IDLE, ClientReads.hint().priority());
      }
    }
    CurrentPriority.setProvider(null);
    CurrentPriority.leaveClient(before);
    assertNull(CurrentPriority.tenant());
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
