package org.hadoopprio.hdfs.datanode.local;

import java.util.HashMap;
import java.util.Map;

/**
 * The users who have connections to a {@link TurnServer}. Each may have as many as are left for the
 * others: alone, half of all; so there is room for a next one, however many users want all they can
 * get.
 *
 * <p>A user whose clients are silent in their turns is waited for half as long each time, and a
 * little longer again with each turn that is given back. So silence costs the others no more than
 * reading does. Thread-safe.
 */
final class TurnUsers {

  /**
   * How long a client may be silent in a turn, in milliseconds. What it may read takes some
   * milliseconds, but the client may be stopped, collect garbage, or mean no good. If it reads
   * after all, it does so beside the next turn.
   */
  static final int PATIENCE_MILLIS = 300;

  /** How long at least: as long as the shortest turn of a stream. */
  static final int LEAST_MILLIS = 20;

  private final int mostConnections;
  private final Map<Integer, TurnUser> users = new HashMap<>();
  private int connections;

  /** A user with connections, or of whom something is remembered. Thread-safe. */
  static final class TurnUser {
    private final int uid;

    /** Guarded by the lock of the {@link TurnUsers}. */
    private int connections;

    private volatile int patienceMillis = PATIENCE_MILLIS;

    private TurnUser(int uid) {
      this.uid = uid;
    }

    /** How long the user's client may be silent in a turn that begins now. */
    int patienceMillis() {
      return patienceMillis;
    }

    /**
     * A client was silent in its turn for so long. Turns that began together count once.
     *
     * @param millis what {@link #patienceMillis} was when the turn began
     */
    synchronized void silent(int millis) {
      patienceMillis = Math.min(patienceMillis, Math.max(LEAST_MILLIS, millis / 2));
    }

    /**
     * A client has given back a turn that had been taken from it: it was slow, or its disk was. So
     * a disk on which reads take longer than the patience does not keep it short.
     */
    synchronized void late() {
      patienceMillis = Math.min(2 * patienceMillis, PATIENCE_MILLIS);
    }

    /** A client has given its turn back. */
    synchronized void heard() {
      patienceMillis = Math.min(patienceMillis + 1, PATIENCE_MILLIS);
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
    if (user.connections == 0 && user.patienceMillis == PATIENCE_MILLIS) {
      users.remove(user.uid);
    }
  }

  /** A user who has a connection; null if nothing is known of one. */
  synchronized TurnUser find(int uid) {
    return users.get(uid);
  }
}
