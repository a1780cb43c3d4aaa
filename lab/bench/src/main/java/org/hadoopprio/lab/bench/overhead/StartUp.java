package org.hadoopprio.lab.bench.overhead;

/** One start of a DataNode. Immutable. */
final class StartUp {

  private final double seconds;
  private final double cpuSeconds;

  StartUp(double seconds, double cpuSeconds) {
    this.seconds = seconds;
    this.cpuSeconds = cpuSeconds;
  }

  /** From the start of the process until the NameNode has registered it. */
  double seconds() {
    return seconds;
  }

  /** CPU time until then, and until somebody has noticed. */
  double cpuSeconds() {
    return cpuSeconds;
  }
}
