// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests with the users of this machine. {@code TurnServerTest} has a socket. */
@Timeout(60)
class PeerUserTest {

  private static final int NOBODY_HAS_IT = 1_234_567_890;

  @Test
  void aUserHasAName() {
    assertEquals("root", PeerUser.name(0));
    assertNull(PeerUser.name(NOBODY_HAS_IT));
  }

  /** The directory service that knows the names may hang for one connection's thread. */
  @Test
  @SuppressWarnings("LockOnNonEnclosingClassLiteral") // As a lookup would that hangs.
  void aLookupHoldsNoLockThatAnotherNeeds() throws Exception {
    synchronized (PeerUser.class) {
      String name = CompletableFuture.supplyAsync(() -> PeerUser.name(0)).get(10, TimeUnit.SECONDS);
      assertEquals("root", name);
    }
  }
}
