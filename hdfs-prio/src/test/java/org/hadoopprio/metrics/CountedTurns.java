// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

/** What the metrics show of the turns of a volume's disk. */
public final class CountedTurns {

  private CountedTurns() {}

  /** Those that are shown under the name of that volume. */
  public static long of(VolumeStatus volume) {
    return volume.counted().getTurns();
  }
}
