// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Users' groups for threads that must not wait. Hadoop's group mapping can take seconds (LDAP); a
 * network thread of an RPC server serves many connections, and while a server only observes nobody
 * waits for it. So threads of this class ask the mapping. What it keeps is bounded, and forgotten
 * when the user has been idle. Thread-safe.
 */
public final class KnownGroups {

  /** Of users and groups together; a name is as long as its client likes. */
  private static final int MAX_CHARS = 4 << 20;

  /** As how many more a user counts: what is kept beside the names takes about as much. */
  static final int CHARS_OF_USER = 128;

  static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int THREADS = 2;
  private static final int MAX_WAITING = 1_000;

  /** Older groups are still used, but looked up again; Hadoop itself caches for longer. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Those of all servers in this process. */
  public static final KnownGroups OF_PROCESS = new KnownGroups(MAX_CHARS, System::nanoTime);

  private final int maxChars;
  private final LongSupplier nanoClock;

  /** In the order of their last use. Guarded by this object, as is their size. */
  private final Map<String, Groups> known = new LinkedHashMap<>(16, 0.75f, true);

  private long chars;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor threads;

  /** Nothing is known yet. */
  KnownGroups(int maxChars, LongSupplier nanoClock) {
    this.maxChars = maxChars;
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
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** What is kept of a user. Guarded by its owner but for what is final. */
  private static final class Groups {
    final Collection<String> names;
    final long chars;
    final long nanos;
    long usedNanos;

    Groups(String user, Collection<String> names, long nanos) {
      this.names = names;
      this.chars = CHARS_OF_USER + user.length() + names.stream().mapToLong(String::length).sum();
      this.nanos = nanos;
      this.usedNanos = nanos;
    }

    boolean isIdle(long now) {
      return now - usedNanos >= IDLE_NANOS;
    }
  }

  /**
   * The user's groups.
   *
   * @param mapping finds them, and may wait
   * @return null if they are not known yet; then they are looked up
   */
  public Collection<String> of(String user, Supplier<Collection<String>> mapping) {
    long now = nanoClock.getAsLong();
    Groups groups = use(user, now);
    if (groups == null || now - groups.nanos > FRESH_NANOS) {
      lookUp(user, mapping);
    }
    return groups == null ? null : groups.names;
  }

  private synchronized Groups use(String user, long now) {
    Groups groups = known.get(user);
    if (groups == null || groups.isIdle(now)) {
      return null;
    }
    groups.usedNanos = now;
    return groups;
  }

  /** How many users' groups are kept. */
  synchronized int size() {
    return known.size();
  }

  private synchronized void keep(String user, Groups groups) {
    Groups before = known.put(user, groups);
    chars += groups.chars - (before == null ? 0 : before.chars);
    Iterator<Groups> oldest = known.values().iterator();
    while (oldest.hasNext()) {
      Groups next = oldest.next();
      if (chars <= maxChars && !next.isIdle(groups.nanos)) {
        return;
      }
      oldest.remove();
      chars -= next.chars;
    }
  }

  private void lookUp(String user, Supplier<Collection<String>> mapping) {
    if (!underWay.add(user)) {
      return;
    }
    try {
      threads.execute(
          () -> {
            try {
              keep(user, new Groups(user, mapping.get(), nanoClock.getAsLong()));
            } finally {
              underWay.remove(user);
            }
          });
    } catch (RejectedExecutionException e) {
      // Too many wait; a later request of the user asks again.
      underWay.remove(user);
    }
  }
}
