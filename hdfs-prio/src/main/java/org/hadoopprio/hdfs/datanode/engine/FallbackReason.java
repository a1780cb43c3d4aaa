// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

/** Classifies {@code enum pbs_reason} of {@code hprio_pbs.h}. */
final class FallbackReason {

  private static final int UNKNOWN = 4;
  private static final int UNWRITTEN = 11;
  private static final int CHANGED = 13;
  private static final int TIMEOUT = 14;
  private static final int GONE = 16;
  private static final int DIRTY = 21;

  private FallbackReason() {}

  /**
   * Whether the reason concerns the extents or pages of one file, so that the engine may still read
   * the volume's other files.
   */
  static boolean isOfOneFile(int reason) {
    return (reason >= UNKNOWN && reason <= UNWRITTEN) || reason == CHANGED || reason == DIRTY;
  }

  /** Whether the read took seconds to fail, so that one such read is reason enough to stop. */
  static boolean isSlow(int reason) {
    return reason == TIMEOUT || reason == GONE;
  }
}
