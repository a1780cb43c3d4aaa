package org.hadoopprio.hdfs.datanode.engine;

/** What {@code enum pbs_reason} of {@code hprio_pbs.h} says about a volume. */
final class FallbackReason {

  private static final int UNKNOWN = 4;
  private static final int UNWRITTEN = 11;
  private static final int CHANGED = 13;
  private static final int TIMEOUT = 14;
  private static final int GONE = 16;

  private FallbackReason() {}

  /** A matter of one file's extents: the volume's other files may well be read. */
  static boolean isOfOneFile(int reason) {
    return (reason >= UNKNOWN && reason <= UNWRITTEN) || reason == CHANGED;
  }

  /** Each such read has cost seconds: one is enough. */
  static boolean isSlow(int reason) {
    return reason == TIMEOUT || reason == GONE;
  }
}
