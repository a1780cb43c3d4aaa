// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** How Gets arrive. */
public enum GetLoad {
  /**
   * At random times, independently of earlier ones. Alone they take about a fifth of the disk: a
   * read of such a drive takes about 11 ms.
   */
  OPEN(0, 18, "open loop"),
  /** The same as often as leaves streams little of the disk. */
  OPEN60(0, 60, "open loop of 60/s"),
  /** Each thread starts a Get when its previous one has ended. */
  CLOSED1(1, 0, "1 thread"),
  CLOSED4(4, 0, "4 threads"),
  CLOSED16(16, 0, "16 threads");

  private static final Set<GetLoad> BY_DEFAULT =
      Collections.unmodifiableSet(EnumSet.complementOf(EnumSet.of(OPEN60)));

  private final int threads;
  private final double getsPerSecond;
  private final String label;

  GetLoad(int threads, double getsPerSecond, String label) {
    this.threads = threads;
    this.getsPerSecond = getsPerSecond;
    this.label = label;
  }

  /** Those that are measured where none are named. */
  public static Set<GetLoad> byDefault() {
    return BY_DEFAULT;
  }

  boolean isOpen() {
    return getsPerSecond > 0;
  }

  /** Of an open loop. */
  double getsPerSecond() {
    return getsPerSecond;
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
