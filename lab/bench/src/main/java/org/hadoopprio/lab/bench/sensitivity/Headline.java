// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

/** A ratio of hadoop-prio to stock. */
enum Headline {
  MEAN("gets-mean", "Gets' mean", "/mean_ms"),
  P99("gets-p99", "Gets' p99", "/p99_ms"),
  SCANS("scans", "scans' throughput", "/scans_bytes_per_second");

  private final String id;
  private final String label;
  private final String path;

  Headline(String id, String label, String path) {
    this.id = id;
    this.label = label;
    this.path = path;
  }

  /** For file names. */
  String id() {
    return id;
  }

  String label() {
    return label;
  }

  /** The JSON pointer of what is divided, below a system. */
  String path() {
    return path;
  }
}
