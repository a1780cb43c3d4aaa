package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;

/**
 * Gives a compaction's reads their priority: first the positioning of its scanner, between two
 * hooks on the compaction's thread, then each step of that scanner.
 */
final class CompactionReads {

  private static final ThreadLocal<PriorityScope> POSITIONING = new ThreadLocal<>();

  private CompactionReads() {}

  /** The scanner is about to be made and positioned on the calling thread. */
  static void beginPositioning(IoPriority priority) {
    // Still open only if the last compaction of this thread failed before it had a scanner.
    endPositioning();
    POSITIONING.set(PriorityScope.open(priority));
  }

  private static void endPositioning() {
    PriorityScope scope = POSITIONING.get();
    if (scope != null) {
      POSITIONING.remove();
      scope.close();
    }
  }

  /**
   * The scanner is made; what it reads from here on has the priority.
   *
   * @param scanner null where another coprocessor does the compaction itself
   */
  static InternalScanner positioned(InternalScanner scanner, IoPriority priority) {
    endPositioning();
    return scanner == null ? null : new PriorityScanner<>(scanner, priority);
  }
}
