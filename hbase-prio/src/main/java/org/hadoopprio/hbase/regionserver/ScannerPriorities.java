// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The priorities of open scans by scanner id. They tell the scheduler the priority of a scan's
 * follow-up call. Thread-safe; one per process.
 */
final class ScannerPriorities {

  private static final ConcurrentMap<Long, ScanPriority> OPEN = new ConcurrentHashMap<>();

  private ScannerPriorities() {}

  static void opened(long scannerId, ScanPriority priority) {
    OPEN.put(scannerId, priority);
  }

  static void closed(long scannerId) {
    OPEN.remove(scannerId);
  }

  /** The scan's priority, or null if it has none or its first follow-up call has not run yet. */
  static ScanPriority of(long scannerId) {
    return OPEN.get(scannerId);
  }

  static int size() {
    return OPEN.size();
  }
}
