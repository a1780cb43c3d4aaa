// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.role.WorkScope;

/**
 * Work that one thread makes and another does: it has the priority of the thread that has made it.
 * Thread-safe.
 */
public final class CarriedWork {

  /** The priority of each piece of work that has one. */
  private static final WeakConcurrentMap<Object, IoPriority> MADE =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private CarriedWork() {}

  /** The calling thread has made the work as a part of its own. */
  public static void made(Object work) {
    IoPriority priority = CurrentPriority.ofWork();
    if (priority != null) {
      MADE.put(work, priority);
    }
  }

  /**
   * The calling thread begins the work.
   *
   * @return the value to pass to {@link WorkScope#close} when it has ended, normally or with an
   *     exception
   */
  public static PriorityScope runs(Object work) {
    return WorkScope.open(MADE.remove(work));
  }
}
