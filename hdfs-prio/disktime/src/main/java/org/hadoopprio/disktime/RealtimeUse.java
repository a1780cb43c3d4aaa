// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

/** What a real-time read does at the disk. Guarded by the lock. */
final class RealtimeUse {

  /** Whether it has not yet begun to read data. */
  boolean opening;

  /** Whether it counts as being at the disk. */
  boolean counted;

  /** What it asked for when it went in: its owner may have changed that for the next part. */
  boolean sequential;

  /** The same of {@link Demand#parts}. */
  int parts;

  /** Whether it was at the disk since it went in. */
  boolean usedDisk;

  /** Whether another one was at the disk together with it since it went in. */
  boolean shared;

  /** Its disk time since it went in; meaningless if it was shared. */
  long aloneNanos;

  /** How long it has opened its files on the disk. */
  long openNanos;

  /** It goes in. */
  void begin(Demand demand) {
    sequential = demand.continues;
    parts = demand.parts;
    usedDisk = false;
    shared = false;
    aloneNanos = 0;
    openNanos = 0;
  }

  /** Whether it is at the disk, or may be: what it opens may be in memory. */
  boolean isAny() {
    return counted || opening;
  }

  /** Whether it shows what the disk needs for a single read. */
  boolean isMeasured() {
    return usedDisk && !shared && !sequential;
  }
}
