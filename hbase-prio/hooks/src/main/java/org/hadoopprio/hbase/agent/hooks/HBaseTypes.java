// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks;

/**
 * The binary names of the HBase types that are hooked; see {@link
 * org.hadoopprio.agent.hooks.HadoopTypes}.
 */
public final class HBaseTypes {

  /** The RPC server of a RegionServer. */
  public static final String RPC_SERVER = "org.apache.hadoop.hbase.ipc.RpcServer";

  /** A scan's scanner over the store files of a column family. */
  public static final String STORE_SCANNER = "org.apache.hadoop.hbase.regionserver.StoreScanner";

  /** Seeks in a store file for a scanner, on a thread of a pool. */
  public static final String PARALLEL_SEEK_HANDLER =
      "org.apache.hadoop.hbase.regionserver.handler.ParallelSeekHandler";

  /** Tells a daemon's parts of a new configuration. */
  public static final String CONFIGURATION_MANAGER =
      "org.apache.hadoop.hbase.conf.ConfigurationManager";

  /** Makes the RPC client of a connection. */
  public static final String RPC_CLIENT_FACTORY = "org.apache.hadoop.hbase.ipc.RpcClientFactory";

  /** Opens the blocks of an asynchronous write-ahead log, without the HDFS client. */
  public static final String FAN_OUT_HELPER =
      "org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutputHelper";

  /** Writes a write-ahead log with the HDFS client. */
  public static final String PROTOBUF_LOG_WRITER =
      "org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter";

  /** The store of a column family in a region. */
  public static final String HSTORE = "org.apache.hadoop.hbase.regionserver.HStore";

  /** Opens the files of a store. */
  public static final String STORE_ENGINE = "org.apache.hadoop.hbase.regionserver.StoreEngine";

  /** What is known of a store file before it is opened. */
  public static final String STORE_FILE_INFO = "org.apache.hadoop.hbase.regionserver.StoreFileInfo";

  /** Makes one store file of several. */
  public static final String COMPACTOR =
      "org.apache.hadoop.hbase.regionserver.compactions.Compactor";

  /** The files that a compaction makes one of, and what kind of compaction it is. */
  public static final String COMPACTION_REQUEST =
      "org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl";

  /** The open files of large values (MOB). */
  public static final String MOB_FILE_CACHE = "org.apache.hadoop.hbase.mob.MobFileCache";

  /** A region. */
  public static final String HREGION = "org.apache.hadoop.hbase.regionserver.HRegion";

  /** Reads the write-ahead logs of a RegionServer for replication. */
  public static final String WAL_ENTRY_STREAM =
      "org.apache.hadoop.hbase.replication.regionserver.WALEntryStream";

  /** Divides the write-ahead log of a RegionServer that has died among its regions. */
  public static final String WAL_SPLITTER = "org.apache.hadoop.hbase.wal.WALSplitter";

  /** Writes the parts of {@link #WAL_SPLITTER}. */
  public static final String WAL_SPLIT_WRITER =
      "org.apache.hadoop.hbase.wal.OutputSink$WriterThread";

  /** Reads store files into the block cache. */
  public static final String PREFETCH_EXECUTOR =
      "org.apache.hadoop.hbase.io.hfile.PrefetchExecutor";

  private HBaseTypes() {}
}
