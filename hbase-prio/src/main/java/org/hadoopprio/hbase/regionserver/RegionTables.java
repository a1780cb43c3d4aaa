// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The open regions' tables by either name of a region, for code that has a call's parameter but not
 * its region: the scheduler, and reads that no hook has noted. Thread-safe; one per process.
 */
final class RegionTables {

  // Keyed by the parameter's own type, so that a lookup copies nothing.
  private static final ConcurrentMap<ByteString, TablePriority> OPEN = new ConcurrentHashMap<>();

  private RegionTables() {}

  static void opened(RegionInfo region, TablePriority table) {
    OPEN.put(name(region), table);
    OPEN.put(encodedName(region), table);
  }

  /** Removes a region, unless it has been opened again since (a move within one process). */
  static void closed(RegionInfo region, TablePriority table) {
    OPEN.remove(name(region), table);
    OPEN.remove(encodedName(region), table);
  }

  private static ByteString name(RegionInfo region) {
    return UnsafeByteOperations.unsafeWrap(region.getRegionName());
  }

  private static ByteString encodedName(RegionInfo region) {
    return UnsafeByteOperations.unsafeWrap(region.getEncodedNameAsBytes());
  }

  /**
   * The table of an open region, or null if the name is null or unknown. Of a name that ends with
   * an encoded name HBase looks at that only, whatever the client has written before it.
   */
  static TablePriority of(ByteString regionName) {
    if (regionName == null) {
      return null;
    }
    TablePriority table = OPEN.get(regionName);
    int end = regionName.size() - 1;
    if (table != null
        || end < RegionInfo.MD5_HEX_LENGTH
        || regionName.byteAt(end) != RegionInfo.ENC_SEPARATOR) {
      return table;
    }
    // Copy first, then cut: a ByteString backed by the request's buffer cannot be cut.
    byte[] name = regionName.toByteArray();
    return OPEN.get(
        UnsafeByteOperations.unsafeWrap(
            Arrays.copyOfRange(name, end - RegionInfo.MD5_HEX_LENGTH, end)));
  }
}
