// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.security.User;
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/**
 * Users' groups for threads that must not wait. Hadoop's group mapping can take seconds (LDAP), and
 * a network thread of the RPC server serves many connections; so threads of this class ask it. What
 * it keeps is bounded, and forgotten when the user has been idle. Thread-safe.
 */
final class KnownGroups {

  /** Of users and groups together; a name is as long as its client likes. */
  private static final int MAX_CHARS = 4 << 20;

  /** As how many more a user counts: what is kept beside the names takes about as much. */
  static final int CHARS_OF_USER = 128;

  private static final int IDLE_MINUTES = 10;
  private static final int THREADS = 2;
  private static final int MAX_WAITING = 1_000;

  /** Older groups are still used, but looked up again; Hadoop itself caches for longer. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Cache<String, Groups> known;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final ThreadPoolExecutor threads;

  KnownGroups() {
    this(MAX_CHARS);
  }

  /** Nothing is known yet. */
  KnownGroups(int maxChars) {
    known =
        CacheBuilder.newBuilder()
            .maximumWeight(maxChars)
            .weigher((String user, Groups groups) -> CHARS_OF_USER + user.length() + groups.chars())
            .expireAfterAccess(IDLE_MINUTES, TimeUnit.MINUTES)
            .build();
    threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(MAX_WAITING),
            new ThreadFactoryBuilder()
                .setNameFormat("io-priority-groups-%d")
                .setDaemon(true)
                .build());
    threads.allowCoreThreadTimeOut(true);
  }

  private static final class Groups {
    private final Collection<String> names;
    private final long nanos = System.nanoTime();

    Groups(Collection<String> names) {
      this.names = names;
    }

    int chars() {
      return names.stream().mapToInt(String::length).sum();
    }
  }

  /** The user's groups; null if they are not known yet, and then they are looked up. */
  Collection<String> of(User user) {
    Groups groups = known.getIfPresent(user.getName());
    if (groups == null || System.nanoTime() - groups.nanos > FRESH_NANOS) {
      lookUp(user);
    }
    return groups == null ? null : groups.names;
  }

  /** How many users' groups are kept. */
  long size() {
    known.cleanUp();
    return known.size();
  }

  private void lookUp(User user) {
    String name = user.getName();
    if (!underWay.add(name)) {
      return;
    }
    try {
      threads.execute(
          () -> {
            try {
              known.put(name, new Groups(List.of(user.getGroupNames())));
            } finally {
              underWay.remove(name);
            }
          });
    } catch (RejectedExecutionException e) {
      // Too many wait; a later call of the user asks again.
      underWay.remove(name);
    }
  }
}
