// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

/**
 * What mode {@code turns} would do with the reads of a volume in mode {@code observe}. Immutable.
 */
public final class ObservedStatus {

  /** Of a volume that has never been in that mode. */
  public static final ObservedStatus NONE = new ObservedStatus(0, 0);

  private final long reads;
  private final long waits;

  /** Makes a status; the getters describe the values. */
  public ObservedStatus(long reads, long waits) {
    this.reads = reads;
    this.waits = waits;
  }

  /** Reads that were served in that mode. */
  public long getReads() {
    return reads;
  }

  /** Those of them that mode turns would probably have made wait. */
  public long getWaits() {
    return waits;
  }
}
