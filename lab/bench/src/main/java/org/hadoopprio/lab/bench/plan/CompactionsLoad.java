// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.hadoopprio.lab.progress.Pauses;
import org.hadoopprio.lab.workload.YcsbTable;

/**
 * Major compactions of a table of one region, one after the other. Those that end while it is
 * measured count, or the first if none does. A compaction's throughput is the size of the new file,
 * which was read and written, by the time from the request to the file's end.
 */
final class CompactionsLoad implements RunningLoad {

  static final String TABLE = "table";
  static final List<String> FIGURES = List.of("count", "bytes", "seconds", Column.THROUGHPUT);

  private static final long TIMEOUT_MS = 180_000;

  /** A compaction that has not begun by then has failed, as if the disk was full for a moment. */
  private static final long RETRY_MS = 10_000;

  private static final double MS_PER_SECOND = 1e3;
  private static final double BYTES_PER_MB = 1e6;

  private final String table;
  private final Connection connection;
  private final Admin admin;
  private final FileSystem fs;
  private final RegionInfo region;
  private final ExecutorService executor = Executors.newSingleThreadExecutor();
  private Future<JsonNode> work;

  CompactionsLoad(Start start) throws IOException {
    this.table = start.parameters().get(TABLE);
    this.connection = ConnectionFactory.createConnection(start.cluster().hbaseConf());
    this.admin = connection.getAdmin();
    this.fs = FileSystem.newInstance(start.cluster().hadoopConf());
    this.region = admin.getRegions(TableName.valueOf(table)).get(0);
  }

  @Override
  public void begin(long from, long to) {
    work = executor.submit(() -> compactUntil(to));
  }

  private JsonNode compactUntil(long to) throws IOException {
    List<Long> durations = new ArrayList<>();
    long bytes = 0;
    while (System.currentTimeMillis() < to) {
      long begin = System.currentTimeMillis();
      FileStatus made = compact();
      bytes = made.getLen();
      // The last one goes on when nothing is measured any more.
      if (made.getModificationTime() <= to || durations.isEmpty()) {
        durations.add(made.getModificationTime() - begin);
      }
    }
    double seconds =
        durations.stream().mapToLong(Long::longValue).average().orElseThrow() / MS_PER_SECOND;
    return new ObjectMapper()
        .createObjectNode()
        .put("count", durations.size())
        .put("bytes", bytes)
        .put("seconds", seconds)
        .put(Column.THROUGHPUT, bytes / BYTES_PER_MB / seconds);
  }

  /** Compacts the region and returns its new file. */
  private FileStatus compact() throws IOException {
    Set<String> before = new HashSet<>();
    storeFiles().forEach(file -> before.add(file.getPath().getName()));
    admin.majorCompactRegion(region.getRegionName());
    AtomicLong retry = new AtomicLong(System.currentTimeMillis() + RETRY_MS);
    AtomicReference<FileStatus> made = new AtomicReference<>();
    Pauses.await(
        "the end of a compaction of table " + table,
        TIMEOUT_MS,
        () -> {
          long now = System.currentTimeMillis();
          // Another request would find nothing to compact before this one has ended.
          if (admin.getCompactionStateForRegion(region.getRegionName()) != CompactionState.NONE) {
            retry.set(now + RETRY_MS);
            return false;
          }
          storeFiles().stream()
              .filter(file -> !before.contains(file.getPath().getName()))
              .forEach(made::set);
          if (made.get() == null && now > retry.get()) {
            retry.set(now + RETRY_MS);
            admin.majorCompactRegion(region.getRegionName());
          }
          return made.get() != null;
        });
    return made.get();
  }

  private List<FileStatus> storeFiles() throws IOException {
    return List.of(
        fs.listStatus(
            new Path(
                String.join(
                    "/",
                    "/hbase/data/default",
                    table,
                    region.getEncodedName(),
                    YcsbTable.FAMILY))));
  }

  @Override
  public void requireAlive() throws IOException {
    if (work != null && work.isDone()) {
      get();
    }
  }

  @Override
  public JsonNode figures(long from, long to) throws IOException {
    return get();
  }

  private JsonNode get() throws IOException {
    try {
      return work.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a table was compacted");
    }
  }

  @Override
  public void close() throws IOException {
    executor.shutdownNow();
    admin.close();
    connection.close();
    fs.close();
  }
}
