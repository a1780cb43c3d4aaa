// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The reads of one call, for which its client waits together: of one Get with several store files,
 * of one multi-get, of one batch of a scan. They have one latency target, and each has to leave
 * time for those that follow (intelliQoS, 2012, calls this a container). How many follow is
 * predicted from what such calls on the table have read.
 *
 * <p>Not thread-safe; used by the thread that serves the call.
 */
final class ReadContainer {

  static final int MAX_TABLES = 10_000;

  /** Kinds of operations that differ in what they read. */
  private enum Kind {
    GET,
    SCAN
  }

  /** Of the tables that are read, by name; those of dropped tables are forgotten. */
  private static final Map<Kind, Cache<String, ReadsPerOperation>> AVERAGES =
      Map.of(Kind.GET, averages(), Kind.SCAN, averages());

  private final ReadsPerOperation average;
  private final int operations;
  private final int predicted;
  private int reads;

  private ReadContainer(ReadsPerOperation average, int operations) {
    this.average = average;
    this.operations = operations;
    this.predicted = average.predict(operations);
  }

  /**
   * The reads of a call.
   *
   * @param table the first that the call reads; null if it is not known
   */
  static ReadContainer of(RpcCall call, TablePriority table) {
    Message parameter = call.getParam();
    Kind kind = parameter instanceof ScanRequest ? Kind.SCAN : Kind.GET;
    ConcurrentMap<String, ReadsPerOperation> averages = AVERAGES.get(kind).asMap();
    ReadsPerOperation average =
        averages.computeIfAbsent(
            table == null ? "" : table.tableName(), name -> new ReadsPerOperation());
    return new ReadContainer(average, operations(parameter));
  }

  private static Cache<String, ReadsPerOperation> averages() {
    return CacheBuilder.newBuilder()
        .maximumSize(MAX_TABLES)
        .expireAfterAccess(1, TimeUnit.DAYS)
        .build();
  }

  /** Of how many tables averages are kept. */
  static long tables() {
    return AVERAGES.values().stream().mapToLong(Cache::size).max().orElse(0);
  }

  private static int operations(Message parameter) {
    if (!(parameter instanceof MultiRequest)) {
      return 1;
    }
    int operations = 0;
    for (RegionAction region : ((MultiRequest) parameter).getRegionActionList()) {
      operations += region.getActionCount();
    }
    return Math.max(1, operations);
  }

  /** The call is about to read a block; returns how many reads are expected to follow. */
  int readBegins() {
    reads++;
    return Math.max(0, predicted - reads);
  }

  /** The call has been served. */
  void close() {
    average.add(reads, operations);
  }
}
