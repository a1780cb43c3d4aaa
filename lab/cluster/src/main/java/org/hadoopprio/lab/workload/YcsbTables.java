// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.lab.progress.Pauses;

/** Creates HBase tables for YCSB with the settings that this project recommends. */
public final class YcsbTables {

  /** At most this many bytes reach the disk as one request; a block of 64 KiB is often split. */
  private static final int BLOCK_BYTES = 57344;

  private static final int REGIONS = 4;

  /** YCSB's keys are "user" and the decimal form of a 63-bit hash; this is how those begin. */
  private static final int FIRST_PREFIX = 1000;

  private static final int LAST_PREFIX = 9223;

  private static final long COMPACTION_TIMEOUT_MS = 180_000;

  private final Configuration conf;

  public YcsbTables(Configuration conf) {
    this.conf = conf;
  }

  /** Makes a table with several regions, uncompressed, with small blocks. */
  public void create(String name) throws IOException {
    create(name, REGIONS, Durability.USE_DEFAULT, true);
  }

  /**
   * The same for a table that is written once, then settled, and whose Gets read the disk. Nothing
   * of it is in a log, which would take as much of the disk again until it is cleaned. The block
   * cache has only its indexes and bloom filters (HBase, CacheConfig.shouldCacheBlockOnRead): of a
   * table that is a few times as large as the cache, many Gets would find their data there.
   */
  public void createForColdReads(String name, int regions) throws IOException {
    create(name, regions, Durability.SKIP_WAL, false);
  }

  private void create(String name, int regions, Durability durability, boolean cacheData)
      throws IOException {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] =
          Bytes.toBytes("user" + (FIRST_PREFIX + i * (LAST_PREFIX - FIRST_PREFIX) / regions));
    }
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(YcsbTable.FAMILY))
                      .setBlocksize(BLOCK_BYTES)
                      .setBlockCacheEnabled(cacheData)
                      .setCompressionType(Compression.Algorithm.NONE)
                      .build())
              .setDurability(durability)
              // HBase splits the only region of a table when it has 256 MiB.
              .setSplitEnabled(false)
              .build(),
          splits);
    }
  }

  /**
   * Writes what is in memory to HDFS and makes one file of each region's files, so that a Get has
   * one file to look into.
   *
   * @param waiting called repeatedly until it is done
   */
  public void settle(String name, Runnable waiting) throws IOException {
    TableName table = TableName.valueOf(name);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      admin.flush(table);
      admin.majorCompact(table);
      // The request is asynchronous: the state says NONE also before the compaction begins.
      await(
          name,
          waiting,
          () ->
              admin.getLastMajorCompactionTimestamp(table) != 0
                  && admin.getCompactionState(table) == CompactionState.NONE);
    }
  }

  private static void await(String name, Runnable waiting, Pauses.Condition compacted)
      throws IOException {
    Pauses.await(
        "the end of a compaction of table " + name,
        COMPACTION_TIMEOUT_MS,
        () -> {
          waiting.run();
          return compacted.holds();
        });
  }

  /** What is done after each region, the first being 0. */
  public interface AfterRegion {
    void done(int region, int regions) throws IOException;
  }

  /**
   * The same as {@link #settle}, one region after the other, so that something else can be written
   * between the regions' files.
   *
   * @param waiting called repeatedly until it is done
   */
  public void settleByRegion(String name, Runnable waiting, AfterRegion after) throws IOException {
    TableName table = TableName.valueOf(name);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      admin.flush(table);
      List<RegionInfo> regions = admin.getRegions(table);
      for (int i = 0; i < regions.size(); i++) {
        byte[] region = regions.get(i).getRegionName();
        admin.majorCompactRegion(region);
        await(
            name,
            waiting,
            () ->
                admin.getLastMajorCompactionTimestampForRegion(region) != 0
                    && admin.getCompactionStateForRegion(region) == CompactionState.NONE);
        after.done(i, regions.size());
      }
    }
  }
}
