// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

/** One start of a process. Immutable. */
final class StartUp {

  private final double seconds;
  private final double cpuSeconds;

  StartUp(double seconds, double cpuSeconds) {
    this.seconds = seconds;
    this.cpuSeconds = cpuSeconds;
  }

  /** From the start of the process until it is ready. */
  double seconds() {
    return seconds;
  }

  /** CPU time until then, and until somebody has noticed; see {@link TaskStart} for a task's. */
  double cpuSeconds() {
    return cpuSeconds;
  }
}
