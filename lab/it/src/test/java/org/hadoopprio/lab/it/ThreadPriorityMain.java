// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import org.hadoopprio.IoPriority;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;

/** Applies a priority to its own thread twice and prints what came of it. */
public final class ThreadPriorityMain {

  private ThreadPriorityMain() {}

  /** Takes a priority. */
  public static void main(String[] args) {
    for (int i = 0; i < 2; i++) {
      int begun = ThreadIoPriority.apply(IoPriority.parse(args[0]));
      System.out.println("applied=" + ThreadIoPriority.applied());
      ThreadIoPriority.restore(begun);
    }
    System.out.println("denied=" + PriorityMetrics.DENIED.sum());
    System.out.println("failed=" + PriorityMetrics.FAILED.sum());
  }
}
