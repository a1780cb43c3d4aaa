// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.shortcircuit;

import java.util.HashMap;
import java.util.Map;

/**
 * The users who have connections to a {@link TurnServer}. Each may have as many as are left for the
 * others: alone, half of all; so there is room for a next one, however many users want all they can
 * get. Thread-safe.
 */
final class TurnUsers {

  private final int mostConnections;
  private final Map<Integer, TurnUser> users = new HashMap<>();
  private int connections;

  /** A user with connections. Guarded by the lock of the {@link TurnUsers}. */
  static final class TurnUser {
    private final int uid;
    private int connections;

    private TurnUser(int uid) {
      this.uid = uid;
    }
  }

  /** Nobody has a connection. */
  TurnUsers(int mostConnections) {
    this.mostConnections = mostConnections;
  }

  /**
   * A user makes a connection. {@link #disconnected} must follow.
   *
   * @param uid those whose number is not known count as one
   * @return null if the user has too many
   */
  synchronized TurnUser connected(int uid) {
    TurnUser user = users.computeIfAbsent(uid, TurnUser::new);
    if (user.connections >= mostConnections - connections) {
      forget(user);
      return null;
    }
    user.connections++;
    connections++;
    return user;
  }

  /** A connection of a user has ended. */
  synchronized void disconnected(TurnUser user) {
    user.connections--;
    connections--;
    forget(user);
  }

  private void forget(TurnUser user) {
    if (user.connections == 0) {
      users.remove(user.uid);
    }
  }
}
