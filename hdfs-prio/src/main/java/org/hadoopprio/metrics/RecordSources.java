// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A source in Hadoop's metrics system for each of several records that come and go. A single source
 * would have a single bean, in which Hadoop numbers the attributes of all records but the first
 * ({@code Requests.17}), and the next record that comes changes the numbers. Thread-safe.
 */
final class RecordSources {

  private static final Logger LOG = LoggerFactory.getLogger(RecordSources.class);
  private static final int IDLE_SECONDS = 10;

  /**
   * Whoever notices a new record may hold locks that those wait for who hold the lock of the
   * metrics system, or have that one itself. So registering is left to a thread, which ends when it
   * has nothing to do.
   */
  private static final ThreadPoolExecutor THREAD =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          work -> {
            Thread thread = new Thread(work, "hadoop-prio metrics");
            thread.setDaemon(true);
            return thread;
          });

  static {
    THREAD.allowCoreThreadTimeOut(true);
  }

  private final String description;
  private final Supplier<Map<String, MetricsSource>> wanted;
  private final AtomicBoolean isDue = new AtomicBoolean();

  /** Used by the thread only. */
  private final Set<String> shown = new HashSet<>();

  /**
   * @param description of each source
   * @param wanted the sources that there should be now, by their names
   */
  RecordSources(String description, Supplier<Map<String, MetricsSource>> wanted) {
    this.description = description;
    this.wanted = wanted;
  }

  /** A record has come or gone: the sources follow soon. */
  void changed() {
    if (isDue.compareAndSet(false, true)) {
      try {
        THREAD.execute(this::follow);
      } catch (RuntimeException | Error e) {
        // No thread can be had now. Whoever serves a request goes on; the next change tries again.
        isDue.set(false);
        LOG.warn("The metrics of \"{}\" are not up to date: {}", description, e.toString());
      }
    }
  }

  private void follow() {
    isDue.set(false);
    try {
      Map<String, MetricsSource> now = wanted.get();
      for (String name : Set.copyOf(shown)) {
        if (!now.containsKey(name)) {
          DefaultMetricsSystem.instance().unregisterSource(name);
          shown.remove(name);
        }
      }
      now.forEach(
          (name, source) -> {
            if (shown.add(name)) {
              PriorityMetricsSource.show(name, description, source);
            }
          });
    } catch (RuntimeException e) {
      LOG.warn("The metrics of \"{}\" are not up to date: {}", description, e.toString());
    }
  }

  /** A name that can be part of a bean's. */
  static String name(String record, String member) {
    return record + "-" + member.replaceAll("[,=:\"*?\\\\\\n]", "_");
  }
}
