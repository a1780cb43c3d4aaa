package org.hadoopprio.hdfs.datanode.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class TurnUsersTest {

  private final TurnUsers users = new TurnUsers(8);

  @Test
  void turnsThatBeganTogetherAreSilentOnce() {
    TurnUsers.TurnUser user = users.connected(1);
    for (int i = 0; i < 4; i++) {
      user.silent(TurnUsers.PATIENCE_MILLIS);
    }
    assertEquals(TurnUsers.PATIENCE_MILLIS / 2, user.patienceMillis());
    assertEquals(TurnUsers.PATIENCE_MILLIS, users.connected(2).patienceMillis(), "another user");
  }

  @Test
  void aUserIsRememberedUntilItsTurnsAreGivenBack() {
    TurnUsers.TurnUser user = users.connected(1);
    user.silent(TurnUsers.PATIENCE_MILLIS);
    users.disconnected(user);
    assertNotNull(users.find(1));
    TurnUsers.TurnUser again = users.connected(1);
    for (int i = 0; i < TurnUsers.PATIENCE_MILLIS; i++) {
      again.heard();
    }
    users.disconnected(again);
    assertNull(users.find(1));
  }
}
