// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/** Whether HBase makes writers of a store wait until it has flushed or compacted. Thread-safe. */
final class BlockedWriters {

  /** What HBase's accounting says below its limits. */
  private static final String NORMAL = "NORMAL";

  private static volatile RegionServerServices server;

  private BlockedWriters() {}

  /** Sets the process's RegionServer, as a coprocessor gets it. */
  static void setServer(OnlineRegions regions) {
    if (regions instanceof RegionServerServices) {
      server = (RegionServerServices) regions;
    }
  }

  /**
   * Whether there is too much in memory: in the region ({@code
   * hbase.hregion.memstore.block.multiplier} times its flush size) or in all regions ({@code
   * hbase.regionserver.global.memstore.size}). What is being flushed counts.
   */
  static boolean waitForFlush(HStore store) {
    HRegion region = store.getHRegion();
    long limit =
        region.getMemStoreFlushSize()
            * store
                .getReadOnlyConfiguration()
                .getLong(
                    HConstants.HREGION_MEMSTORE_BLOCK_MULTIPLIER,
                    HConstants.DEFAULT_HREGION_MEMSTORE_BLOCK_MULTIPLIER);
    return region.getMemStoreHeapSize() + region.getMemStoreOffHeapSize() > limit || isServerFull();
  }

  private static boolean isServerFull() {
    RegionServerServices now = server;
    if (now == null) {
      return false;
    }
    // Object, because the type is private to HBase's package.
    Object mark = now.getRegionServerAccounting().isAboveHighWaterMark();
    return !mark.toString().equals(NORMAL);
  }

  /**
   * Whether the store has {@code hbase.hstore.blockingStoreFiles} or more: HBase puts off flushes
   * of a region with a store that has more, and so soon its writers.
   */
  static boolean waitForCompaction(HStore store) {
    return store.getStorefilesCount() >= store.getBlockingFileCount();
  }
}
