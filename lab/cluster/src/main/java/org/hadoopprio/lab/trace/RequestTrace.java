// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.trace;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.doctor.trace.BlockTraceUnavailableException;
import org.hadoopprio.doctor.trace.DeviceNumber;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.lab.cluster.LocalCluster;

/**
 * Runs one HBase operation against cold caches and records each hop it passed, with the priority
 * seen there: client, RegionServer, wire, DataNode, thread, block layer.
 *
 * <p>Hops of other operations at the same time are mixed in, so use it on an idle cluster.
 */
public final class RequestTrace {

  /** An operation to trace. */
  @FunctionalInterface
  private interface Operation {
    String run(Table table) throws IOException;
  }

  private final List<Hop> hops;
  private final String blockLayerMissing;

  private RequestTrace(List<Hop> hops, String blockLayerMissing) {
    this.hops = List.copyOf(hops);
    this.blockLayerMissing = blockLayerMissing;
  }

  /**
   * Traces a Get.
   *
   * @param priority null to state none
   */
  public static RequestTrace get(
      LocalCluster cluster, Connection connection, TableName table, byte[] row, IoPriority priority)
      throws IOException {
    Get get = state(new Get(row), priority);
    return run(
        cluster,
        connection,
        table,
        priority,
        opened -> {
          Result result = opened.get(get);
          return "Get " + Bytes.toStringBinary(row) + ", " + result.size() + " cells";
        });
  }

  /**
   * Traces a full Scan.
   *
   * @param priority null to state none
   */
  public static RequestTrace scan(
      LocalCluster cluster, Connection connection, TableName table, IoPriority priority)
      throws IOException {
    Scan scan = state(new Scan().setCacheBlocks(false), priority);
    return run(
        cluster,
        connection,
        table,
        priority,
        opened -> {
          long rows = 0;
          try (ResultScanner scanner = opened.getScanner(scan)) {
            while (scanner.next() != null) {
              rows++;
            }
          }
          return "Scan, " + rows + " rows";
        });
  }

  private static <T extends OperationWithAttributes> T state(T operation, IoPriority priority) {
    return priority == null ? operation : IoPriorities.set(operation, priority);
  }

  private static RequestTrace run(
      LocalCluster cluster,
      Connection connection,
      TableName tableName,
      IoPriority priority,
      Operation operation)
      throws IOException {
    List<Hop> hops = new ArrayList<>();
    try (Table table = connection.getTable(tableName);
        Admin admin = connection.getAdmin();
        HopLog log = HopLog.open(cluster)) {
      // Looked up before, so that no read of hbase:meta is among the hops.
      connection.getRegionLocator(tableName).getAllRegionLocations();
      admin.clearBlockCache(tableName);
      cluster.evictPageCache();
      Optional<BlockTrace> blocks = Optional.empty();
      String missing = null;
      try {
        blocks = Optional.of(BlockTrace.start(cluster.devices()));
      } catch (BlockTraceUnavailableException e) {
        missing = e.getMessage();
      }
      try {
        String done = operation.run(table);
        hops.add(
            new Hop(
                "",
                "hbase-client",
                text(priority),
                "this process",
                Thread.currentThread().getName(),
                done));
        hops.addAll(log.hops());
        if (blocks.isPresent()) {
          addBlockLayer(hops, blocks.get().stop(), cluster.devices());
        }
      } finally {
        if (blocks.isPresent()) {
          blocks.get().close();
        }
      }
      return new RequestTrace(hops, missing);
    }
  }

  private static String text(IoPriority priority) {
    return (priority == null ? IoPriority.NONE : priority).toString();
  }

  private static void addBlockLayer(
      List<Hop> hops, BlockTraceSummary summary, Collection<DeviceNumber> devices) {
    String disks =
        "disk " + devices.stream().map(DeviceNumber::toString).collect(Collectors.joining(" "));
    for (Map.Entry<String, BlockTraceSummary.Count> read : summary.reads().entrySet()) {
      hops.add(new Hop("", "block-layer", read.getKey(), disks, "", "reads: " + read.getValue()));
    }
  }

  /** The hops, in the order they were passed. */
  @JsonProperty
  public List<Hop> hops() {
    return hops;
  }

  /** Why the block layer is not among them; null where it is. */
  @JsonProperty
  public String blockLayerMissing() {
    return blockLayerMissing;
  }

  /** The trace as text, one line per hop; more than {@code max} similar lines are abridged. */
  public String toText(int max) {
    StringBuilder out = new StringBuilder();
    out.append(String.format("%-17s %-9s %-13s %s%n", "hop", "priority", "seen by", "detail"));
    String last = "";
    int alike = 0;
    int left = 0;
    for (Hop hop : hops) {
      String kind = hop.name() + hop.priority() + hop.seenBy();
      alike = kind.equals(last) ? alike + 1 : 1;
      last = kind;
      if (alike > max) {
        left++;
      } else {
        out.append(hop).append(System.lineSeparator());
      }
    }
    if (left > 0) {
      out.append(String.format("(%d more like these)%n", left));
    }
    if (blockLayerMissing != null) {
      out.append("block-layer       not traced: ").append(blockLayerMissing);
      out.append(System.lineSeparator());
    }
    return out.toString();
  }
}
