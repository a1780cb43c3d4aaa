// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import org.hadoopprio.IoClass;

/** The classes between which disk time is divided; no priority counts as best-effort. */
enum DiskClass {
  REALTIME,
  BEST_EFFORT,
  IDLE;

  static DiskClass of(IoClass ioClass) {
    switch (ioClass) {
      case REALTIME:
        return REALTIME;
      case IDLE:
        return IDLE;
      default:
        return BEST_EFFORT;
    }
  }
}
