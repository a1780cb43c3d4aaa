package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;

/**
 * Gives a compaction's reads their priority: first while its scanner is created and positioned,
 * between two hooks on the compaction's thread, then in each step of that scanner.
 */
final class CompactionReads {

  private static final ThreadLocal<PriorityScope> POSITIONING = new ThreadLocal<>();

  private CompactionReads() {}

  /** Opens the scope in which the calling thread creates and positions the scanner. */
  static void openScope(IoPriority priority) {
    // A scope is still open if this thread's last compaction failed before it had a scanner.
    closeScope();
    POSITIONING.set(PriorityScope.open(priority));
  }

  private static void closeScope() {
    PriorityScope scope = POSITIONING.get();
    if (scope != null) {
      POSITIONING.remove();
      scope.close();
    }
  }

  /**
   * Closes the scope and returns the scanner with the priority on all it reads from now on.
   *
   * @param scanner null if another coprocessor does the compaction itself
   */
  static InternalScanner closeScopeAround(InternalScanner scanner, IoPriority priority) {
    closeScope();
    return scanner == null ? null : new PriorityScanner<>(scanner, () -> priority);
  }
}
