// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

/**
 * How much the long tests do: a short form in every build, and the full form in {@code bin/hprio
 * verify --full}. Both make the same assertions.
 */
enum Scale {

  /**
   * Reads of files that change meanwhile, see {@link FileChurn}: how many, and for how long at
   * most.
   */
  CHURN_READS(6_000, 20_000),
  CHURN_SECONDS(30, 60),

  /** Pairs of traced Gets, with a priority and without one. */
  GET_PAIRS(8, 20),

  /** Files whose blocks a reader opens one after the other, and how many others use the disk. */
  COLD_FILES(1_200, 50_000),
  COLD_STREAMS(8, 16),
  COLD_SECONDS(6, 30),

  /** Malformed and forged priorities that are sent to a DataNode and to a RegionServer each. */
  FORGED_REQUESTS(300, 1_000),

  /** Streams of a tenant beside one of another, its real-time readers, and for how long. */
  TENANT_STREAMS(5, 32),
  TENANT_READERS(16, 64),
  TENANT_SECONDS(6, 30),

  /** Requests that a drive with duration limits gives up. */
  EXPIRED_READS(1_000, 10_000);

  /** Whether the tests run at full length. */
  private static final boolean FULL = Boolean.getBoolean("hprio.full");

  private final int quick;
  private final int full;

  Scale(int quick, int full) {
    this.quick = quick;
    this.full = full;
  }

  int value() {
    return FULL ? full : quick;
  }
}
