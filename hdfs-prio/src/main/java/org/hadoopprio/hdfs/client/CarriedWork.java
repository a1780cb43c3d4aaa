// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.role.WorkScope;

/**
 * Work that one thread makes and another does: it has priority and tenant of the thread that has
 * made it. Thread-safe.
 */
public final class CarriedWork {

  /** What each piece of work states that states something. */
  private static final WeakConcurrentMap<Object, Hint> MADE =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private CarriedWork() {}

  /** The calling thread has made the work as a part of its own. */
  public static void made(Object work) {
    Hint hint = Hint.of(CurrentPriority.ofWork(), null).ofTenant(CurrentPriority.tenantOfWork());
    if (!hint.saysNothing()) {
      MADE.put(work, hint);
    }
  }

  /**
   * The calling thread begins the work.
   *
   * @return the value to pass to {@link WorkScope#close} when it has ended, normally or with an
   *     exception
   */
  public static PriorityScope runs(Object work) {
    Hint hint = MADE.remove(work);
    return hint == null ? null : hint.openScope();
  }
}
