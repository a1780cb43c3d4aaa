// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
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

/** Creates HBase tables for YCSB with the settings that this project recommends. */
public final class YcsbTables {

  /** At most this many bytes reach the disk as one request; a block of 64 KiB is often split. */
  private static final int BLOCK_BYTES = 57344;

  private static final int REGIONS = 4;

  /** YCSB's keys are "user" and the decimal form of a 63-bit hash; this is how those begin. */
  private static final int FIRST_PREFIX = 1000;

  private static final int LAST_PREFIX = 9223;

  private static final long POLL_MS = 250;
  private static final long COMPACTION_TIMEOUT_S = 180;

  private final Configuration conf;

  public YcsbTables(Configuration conf) {
    this.conf = conf;
  }

  /** Makes a table with several regions, uncompressed, with small blocks. */
  public void create(String name) throws IOException {
    create(name, Durability.USE_DEFAULT, true);
  }

  /**
   * The same for a table that is written once, then settled, and whose Gets read the disk. Nothing
   * of it is in a log, which would take as much of the disk again until it is cleaned. The block
   * cache has only its indexes and bloom filters (HBase, CacheConfig.shouldCacheBlockOnRead): of a
   * table that is a few times as large as the cache, many Gets would find their data there.
   */
  public void createForColdReads(String name) throws IOException {
    create(name, Durability.SKIP_WAL, false);
  }

  private void create(String name, Durability durability, boolean cacheData) throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] =
          Bytes.toBytes("user" + (FIRST_PREFIX + i * (LAST_PREFIX - FIRST_PREFIX) / REGIONS));
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
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMPACTION_TIMEOUT_S);
      // The request is asynchronous: the state says NONE also before the compaction begins.
      while (admin.getLastMajorCompactionTimestamp(table) == 0
          || admin.getCompactionState(table) != CompactionState.NONE) {
        if (System.nanoTime() > until) {
          throw new IOException(
              "table " + name + " is not compacted after " + COMPACTION_TIMEOUT_S + " s");
        }
        waiting.run();
        Thread.sleep(POLL_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + name + " was being compacted");
    }
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
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(COMPACTION_TIMEOUT_S);
        while (admin.getLastMajorCompactionTimestampForRegion(region) == 0
            || admin.getCompactionStateForRegion(region) != CompactionState.NONE) {
          if (System.nanoTime() > until) {
            throw new IOException(
                "a region of " + name + " is not compacted after " + COMPACTION_TIMEOUT_S + " s");
          }
          waiting.run();
          Thread.sleep(POLL_MS);
        }
        after.done(i, regions.size());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + name + " was being compacted");
    }
  }
}
