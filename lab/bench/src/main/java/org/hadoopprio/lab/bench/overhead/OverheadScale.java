// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import java.util.Map;

/**
 * How long reads are measured in a round.
 *
 * @param warmUpSeconds of each state
 * @param cycles how often each state is measured
 * @param seconds how long each time
 */
record OverheadScale(double warmUpSeconds, int cycles, double seconds) {
  /** About 80 s a round. */
  static final OverheadScale FULL = new OverheadScale(5, 10, 0.8);

  /** What makes results comparable. */
  Map<String, String> settings() {
    return Map.of(
        "warm-up seconds", Double.toString(warmUpSeconds),
        "cycles", Integer.toString(cycles),
        "seconds", Double.toString(seconds),
        "read bytes", Integer.toString(ReadClient.READ_BYTES),
        "priority", ReadsBed.HINT);
  }
}
