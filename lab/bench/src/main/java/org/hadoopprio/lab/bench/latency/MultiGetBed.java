// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.latency;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.lab.bench.bed.BedClusters;
import org.hadoopprio.lab.bench.experiment.EnumNames;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.DiskKind;
import org.hadoopprio.lab.disk.ReadAhead;
import org.hadoopprio.lab.workload.MeasuredClient;
import org.hadoopprio.lab.workload.NumberedRows;
import org.hadoopprio.lab.workload.RandomMultiGets;
import org.hadoopprio.lab.workload.YcsbTables;

/** HDFS and HBase, and a table whose Gets read the disk, before the streams' files. */
final class MultiGetBed extends StreamsBed<MultiGetSystem> {

  /** Of a multi-get. */
  static final int GETS = 20;

  /** Of a multi-get: what its reads need, one after the other, on an idle disk. */
  static final IoPriority PRIORITY = IoPriority.realtime(0).within(250);

  static final double PER_SECOND = 1;

  private static final String TABLE = "rows";
  private static final int ROW_BYTES = 8 << 10;
  private static final long ROWS = (1L << 30) / ROW_BYTES;

  /** The compaction writes the table a second time before its first files are deleted. */
  private static final long TABLE_BYTES = 3 * ROWS * ROW_BYTES;

  /** So many that they are seldom all busy, also where a multi-get takes seconds. */
  private static final int THREADS = 64;

  /** For the Gets of four multi-gets at a time; a Get that is held keeps its handler. */
  private static final int HANDLERS = 4 * GETS;

  private static final int WARM_UP_SECONDS = 5;
  private static final int WARM_UP_PER_SECOND = 40;

  private final int seconds;

  private MultiGetBed(LocalCluster cluster, int seconds, StepLog log) throws IOException {
    super(cluster);
    this.seconds = seconds;
    drives().fast(() -> write(log));
    drives().fast(() -> warmUp(log));
  }

  /** What makes measurements comparable. */
  static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(ReadAhead.SETTING, Integer.toString(ReadAhead.byDefault().kib()));
    settings.put("gets", Integer.toString(GETS));
    settings.put("priority", PRIORITY.toString());
    settings.put("per-second", Double.toString(PER_SECOND));
    settings.put("row-bytes", Integer.toString(ROW_BYTES));
    settings.put("rows", Long.toString(ROWS));
    settings.put("streams", Integer.toString(STREAMS));
    settings.put("stream-bytes", Long.toString(ALL_STREAM_BYTES));
    return settings;
  }

  /**
   * Starts the cluster and writes the data.
   *
   * @param directory the cluster's
   * @param seconds how long multi-gets are measured
   */
  static MultiGetBed start(Path directory, int seconds, StepLog log) throws IOException {
    log.say("starting HDFS and HBase");
    return BedClusters.start(
        BedClusters.hbase(directory, DiskKind.VIRTUAL, diskBytes(TABLE_BYTES))
            .littlePageCache()
            .configure(
                Role.REGIONSERVER,
                o ->
                    // Drop what was read from the page cache, so that each Get reaches the disk.
                    o.conf("dfs.client.cache.drop.behind.reads", "true")
                        .conf("hbase.regionserver.handler.count", Integer.toString(HANDLERS))
                        .conf(HBaseKeys.REALTIME_HANDLERS.name(), Integer.toString(HANDLERS))),
        cluster -> new MultiGetBed(cluster, seconds, log));
  }

  private void write(StepLog log) throws IOException {
    log.say("loading the table, " + ((ROWS * ROW_BYTES) >> 20) + " MiB");
    YcsbTables tables = new YcsbTables(cluster().hbaseConf());
    tables.createForColdReads(TABLE);
    try (Connection connection = ConnectionFactory.createConnection(cluster().hbaseConf())) {
      NumberedRows.write(connection, TABLE, ROWS, ROW_BYTES, progress(log, ROWS, "rows"));
    }
    log.say("flush and compaction of the table");
    tables.settle(TABLE, () -> {});
    try (FileSystem fs = FileSystem.newInstance(cluster().hadoopConf())) {
      writeStreams(fs, log);
    }
  }

  /** Compiles code, and brings indexes and bloom filters into the block cache. */
  private void warmUp(StepLog log) throws IOException {
    log.say("warming up the RegionServer");
    for (MultiGetSystem system : MultiGetSystem.values()) {
      ClientCommand command = client(system, WARM_UP_PER_SECOND, WARM_UP_SECONDS);
      String id = "warm-up-" + EnumNames.text(system);
      try (MeasuredClient client = MeasuredClient.start(id, command, logs(), id)) {
        long from = client.begin(1);
        client.awaitTime(from + WARM_UP_SECONDS * 1000L);
        client.result();
      }
    }
  }

  @Override
  protected ObjectNode measured(String condition, MultiGetSystem system) throws IOException {
    cluster().evictPageCache();
    return besideStreams(client(system, PER_SECOND, seconds), seconds, DIRECTORY, STREAMS);
  }

  private ClientCommand client(MultiGetSystem system, double perSecond, int duration)
      throws IOException {
    ClientCommand command =
        cluster()
            .client(
                RandomMultiGets.class,
                "--table=" + TABLE,
                "--rows=" + ROWS,
                "--gets=" + GETS,
                "--way=" + system.way(),
                "--rate=" + perSecond,
                "--threads=" + THREADS,
                "--seed=" + measurements(),
                "--seconds=" + duration);
    return system.hasPriority() ? command.addArguments("--priority=" + PRIORITY) : command;
  }
}
