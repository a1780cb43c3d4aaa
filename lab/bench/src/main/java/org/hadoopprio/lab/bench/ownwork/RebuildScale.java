// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.util.Map;

/** How much is rebuilt, and how long reads are measured. Immutable. */
final class RebuildScale {

  /**
   * A rebuild lasts longer than the reads, of which ten are beyond a percentile of 99; alone, the
   * second or two until it begins count little.
   */
  static final RebuildScale FULL = new RebuildScale(33, 14);

  private final int files;
  private final int seconds;

  /**
   * A scale.
   *
   * @param files that lose a replica, a multiple of the number of DataNodes
   * @param seconds how long reads are measured
   */
  RebuildScale(int files, int seconds) {
    this.files = files;
    this.seconds = seconds;
  }

  int files() {
    return files;
  }

  /** How long reads are measured. */
  int seconds() {
    return seconds;
  }

  /** What makes results comparable. */
  Map<String, String> settings() {
    return Map.of(
        "files", Integer.toString(files),
        "file-bytes", Long.toString(RebuildBed.FILE_BYTES),
        "seconds", Integer.toString(seconds),
        "data-nodes", Integer.toString(RebuildBed.DATA_NODES),
        "reads-per-second", Integer.toString(RebuildBed.READS_PER_SECOND),
        "read-bytes", Integer.toString(RebuildBed.READ_BYTES),
        "read-priority", RebuildBed.READ_PRIORITY);
  }
}
