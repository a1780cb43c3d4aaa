// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.hadoopprio.log.Printable;
import org.hadoopprio.log.RateLimitedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Users' groups for threads that must not wait for Hadoop's group mapping, or not for long. It can
 * take seconds (LDAP), or as long as its time-out. So threads of this class ask it. What it keeps
 * is bounded, and forgotten when the user has been idle. Thread-safe.
 */
public final class KnownGroups {

  private static final Logger LOG = LoggerFactory.getLogger(KnownGroups.class);
  private static final RateLimitedLog FAILURE_LOG = new RateLimitedLog(LOG);

  /** Of users and groups together. */
  private static final int MAX_CHARS = 4 << 20;

  /**
   * The groups of who has a longer name are never known: where there is no Kerberos, a name is as
   * long as its client likes, and a look-up keeps it.
   */
  static final int MAX_NAME_CHARS = 1024;

  /** As how many more a user counts: what is kept beside the names takes about as much. */
  static final int CHARS_OF_USER = 128;

  static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** So many look-ups that hang keep those of other users waiting; each is of another user. */
  static final int THREADS = 16;

  private static final int MAX_WAITING = 1_000;

  /** Older groups are still used, but looked up again; Hadoop itself caches for longer. */
  static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * How long groups are used when the mapping does not answer any more, or names none: as long as
   * Hadoop's own cache has a value that it cannot refresh, ten times the default of {@code
   * hadoop.security.groups.cache.secs}.
   */
  static final long KEPT_NANOS = TimeUnit.MINUTES.toNanos(50);

  /** Enough for a directory that is well, and little beside the wait for a disk that is busy. */
  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Those of all servers in this process. */
  public static final KnownGroups OF_PROCESS =
      new KnownGroups(MAX_CHARS, MAX_WAIT_NANOS, System::nanoTime);

  private final int maxChars;
  private final long maxWaitNanos;
  private final LongSupplier nanoClock;

  /** In the order of their last use. Guarded by this object, as is their size. */
  private final Map<String, Groups> known = new LinkedHashMap<>(16, 0.75f, true);

  private long chars;
  private final Map<String, LookUp> underWay = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor threads;

  /**
   * Nothing is known yet.
   *
   * @param maxWaitNanos how long {@link #await} waits
   */
  KnownGroups(int maxChars, long maxWaitNanos, LongSupplier nanoClock) {
    this.maxChars = maxChars;
    this.maxWaitNanos = maxWaitNanos;
    this.nanoClock = nanoClock;
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(MAX_WAITING),
            task -> {
              Thread thread = new Thread(task, "io-priority-groups");
              thread.setDaemon(true);
              return thread;
            },
            // Too many wait; a later request of the user asks again.
            (lookUp, full) -> ((LookUp) lookUp).refuse());
    threads.allowCoreThreadTimeOut(true);
  }

  /** What is kept of a user. Guarded by its owner but for what is final. */
  private static final class Groups {

    /** Null if the look-up has failed or found none. */
    final Collection<String> names;

    final long chars;
    final long answeredNanos;
    long askedNanos;
    long usedNanos;

    Groups(String user, Collection<String> names, long now) {
      this.names = names;
      this.chars =
          CHARS_OF_USER
              + user.length()
              + (names == null ? 0 : names.stream().mapToLong(String::length).sum());
      this.answeredNanos = now;
      this.askedNanos = now;
      this.usedNanos = now;
    }

    boolean isIdle(long now) {
      return now - usedNanos >= IDLE_NANOS;
    }

    boolean isFresh(long now) {
      return now - askedNanos <= FRESH_NANOS;
    }

    boolean isOutdated(long now) {
      return now - answeredNanos >= KEPT_NANOS;
    }

    /**
     * Whether they are used on although the mapping has answered that. Nobody is told those that
     * are forgotten, so in their place it is kept that there are none: else each request would ask.
     */
    boolean outlast(Collection<String> answer, long now) {
      return names != null && answer == null && !isOutdated(now) && !isIdle(now);
    }
  }

  /** A look-up that is queued or under way. */
  private final class LookUp implements Runnable {
    final String user;
    final Supplier<Collection<String>> mapping;
    final long fromNanos;
    final CountDownLatch ended = new CountDownLatch(1);

    /** Whether there was no place for it; used by the thread that made it. */
    boolean refused;

    LookUp(String user, Supplier<Collection<String>> mapping, long fromNanos) {
      this.user = user;
      this.mapping = mapping;
      this.fromNanos = fromNanos;
    }

    /**
     * Keeps what the mapping says. That it names no group may mean that the user has none, or that
     * its directory cannot be reached: Hadoop makes an empty list of both (Groups.java, and
     * UserProvider.java of HBase), so it must not end a limit by group.
     */
    @Override
    public void run() {
      Collection<String> names = null;
      try {
        names = mapping.get();
      } catch (RuntimeException | LinkageError e) {
        FAILURE_LOG.warn(() -> "The groups of user " + Printable.of(user) + " are not known: " + e);
      } finally {
        try {
          answered(user, names == null || names.isEmpty() ? null : names);
        } finally {
          end();
        }
      }
    }

    void refuse() {
      refused = true;
      end();
    }

    void end() {
      underWay.remove(user);
      ended.countDown();
    }
  }

  /**
   * The user's groups, for a thread that must not wait.
   *
   * @param mapping finds them, and may wait
   * @return null if {@link #await} would have had to wait for them; empty if they are not known, or
   *     if there are none
   */
  public Collection<String> of(String user, Supplier<Collection<String>> mapping) {
    long now = nanoClock.getAsLong();
    Groups groups = find(user, now);
    LookUp lookUp = lookUp(user, mapping, groups, now);
    if (groups == null && lookUp != null && left(lookUp, now) > 0) {
      return null;
    }
    return names(user, groups);
  }

  /**
   * The user's groups, for a thread that may wait a moment: until 100 ms after a request of the
   * user was the first to need them. So a user's many requests do not wait one after the other.
   *
   * @param mapping finds them, and may wait for longer
   * @return empty if they are not known by then, or if there are none
   */
  public Collection<String> await(String user, Supplier<Collection<String>> mapping) {
    long now = nanoClock.getAsLong();
    Groups groups = find(user, now);
    LookUp lookUp = lookUp(user, mapping, groups, now);
    if (groups == null && lookUp != null) {
      await(lookUp);
    }
    return names(user, groups);
  }

  /**
   * The names, or none.
   *
   * @param groups null if they have not been known
   */
  private Collection<String> names(String user, Groups groups) {
    Groups known = groups == null ? find(user, nanoClock.getAsLong()) : groups;
    return known == null || known.names == null ? List.of() : known.names;
  }

  /** How long its user's requests wait for it. */
  private long left(LookUp lookUp, long now) {
    return maxWaitNanos - (now - lookUp.fromNanos);
  }

  private void await(LookUp lookUp) {
    try {
      boolean ended = lookUp.ended.await(left(lookUp, nanoClock.getAsLong()), TimeUnit.NANOSECONDS);
      LOG.trace("Group look-up waited for: {}", ended);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Looks the user up if that is due.
   *
   * @param groups null if they are not known
   * @return the look-up that the user's requests share; null if there is none
   */
  private LookUp lookUp(
      String user, Supplier<Collection<String>> mapping, Groups groups, long now) {
    boolean isFresh;
    synchronized (this) {
      isFresh = groups != null && groups.isFresh(now);
    }
    boolean isDue = !isFresh && user.length() <= MAX_NAME_CHARS;
    return isDue ? shared(new LookUp(user, mapping, now)) : null;
  }

  private synchronized Groups find(String user, long now) {
    Groups groups = known.get(user);
    if (groups == null || groups.isIdle(now) || groups.isOutdated(now)) {
      return null;
    }
    groups.usedNanos = now;
    return groups;
  }

  /** Whether a look-up of the user's groups is queued or under way. */
  boolean isLookedUp(String user) {
    return underWay.containsKey(user);
  }

  /** How many users' groups are kept. */
  synchronized int size() {
    return known.size();
  }

  /** Null if the look-up has failed or found none. */
  private synchronized void answered(String user, Collection<String> names) {
    long now = nanoClock.getAsLong();
    Groups before = known.get(user);
    if (before != null && before.outlast(names, now)) {
      before.askedNanos = now;
      return;
    }
    Groups groups = new Groups(user, names, now);
    known.put(user, groups);
    chars += groups.chars - (before == null ? 0 : before.chars);
    Iterator<Groups> oldest = known.values().iterator();
    while (oldest.hasNext()) {
      Groups next = oldest.next();
      if (chars <= maxChars && !next.isIdle(now)) {
        return;
      }
      oldest.remove();
      chars -= next.chars;
    }
  }

  private LookUp shared(LookUp lookUp) {
    LookUp before = underWay.putIfAbsent(lookUp.user, lookUp);
    if (before != null) {
      return before;
    }
    try {
      threads.execute(lookUp);
    } catch (RuntimeException | Error e) {
      // E.g. no more threads in this process, which must not fail a read.
      lookUp.refuse();
      FAILURE_LOG.warn(() -> "The groups of users cannot be looked up: " + e);
    }
    return lookUp.refused ? null : lookUp;
  }
}
