package org.hadoopprio.lab.bench.mixed;

/** How Gets arrive. */
public enum GetLoad {
  /** At random times, independently of earlier ones. */
  OPEN(0, "open loop"),
  /** Each thread starts a Get when its previous one has ended. */
  CLOSED1(1, "1 thread"),
  CLOSED4(4, "4 threads"),
  CLOSED16(16, "16 threads");

  private final int threads;
  private final String label;

  GetLoad(int threads, String label) {
    this.threads = threads;
    this.label = label;
  }

  boolean isOpen() {
    return this == OPEN;
  }

  /** Of a closed loop. */
  int threads() {
    return threads;
  }

  /** For people. */
  String label() {
    return label;
  }
}
