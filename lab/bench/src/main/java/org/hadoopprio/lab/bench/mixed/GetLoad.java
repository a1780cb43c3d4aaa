// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

/** How many Gets arrive, at random times and independently of earlier ones: an open loop. */
public enum GetLoad {
  /** Alone they take about a fifth of the disk: a read of such a drive takes about 11 ms. */
  OPEN(18, "open loop"),
  /** So many that they leave streams little of the disk. */
  OPEN60(60, "open loop of 60/s");

  private final double getsPerSecond;
  private final String label;

  GetLoad(double getsPerSecond, String label) {
    this.getsPerSecond = getsPerSecond;
    this.label = label;
  }

  double getsPerSecond() {
    return getsPerSecond;
  }

  /** For people. */
  String label() {
    return label;
  }
}
