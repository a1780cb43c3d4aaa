// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.role;

import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;

/**
 * The {@link PriorityScope} around work that may have no priority. Hooks open it at the start of a
 * method and close it at the end. Thread-safe.
 */
public final class WorkScope {

  private WorkScope() {}

  /**
   * Opens a scope on the calling thread.
   *
   * @param priority null for none
   * @return the value to pass to {@link #close}; null without a priority
   */
  public static PriorityScope open(IoPriority priority) {
    return priority == null ? null : PriorityScope.open(priority);
  }

  /** Closes a scope; does nothing with null. */
  public static void close(PriorityScope scope) {
    if (scope != null) {
      scope.close();
    }
  }
}
