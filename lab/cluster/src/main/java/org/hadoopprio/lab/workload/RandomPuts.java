// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.ycsb.Arrivals;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A client process that puts rows into an HBase table at random times, and measures how long each
 * Put takes. HBase answers a Put when its write-ahead log is on the disk, not only in the memory of
 * the DataNodes. In the report, a read is a Put.
 */
@Command(name = "RandomPuts", mixinStandardHelpOptions = true)
public final class RandomPuts implements Callable<Integer> {

  private static final byte[] FAMILY = Bytes.toBytes(YcsbTable.FAMILY);
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  @Mixin private MeasuredRun measured;

  @Option(names = "--table", required = true, description = "The table, with a family \"f\".")
  private String table;

  @Option(names = "--length", required = true, description = "Bytes of a value.")
  private int length;

  @Option(names = "--rate", required = true, description = "Puts a second, arriving at random.")
  private double rate;

  @Option(names = "--threads", required = true, description = "Puts under way, at most.")
  private int threads;

  @Option(names = "--seed", description = "Of the arrivals.")
  private long seed;

  private RandomPuts() {}

  /** See {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new RandomPuts()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      // The first operation of a process is slow while its classes are loaded.
      put(connection);
      ReadLoad load = new ReadLoad(measured.awaitStart());
      measured.report(load.open(() -> put(connection), new Arrivals(rate, seed, 0, 0), threads));
    }
    return 0;
  }

  private int put(Connection connection) throws IOException {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    byte[] value = new byte[length];
    random.nextBytes(value);
    Put put = new Put(Bytes.toBytes(random.nextLong()));
    put.addColumn(FAMILY, QUALIFIER, value);
    put.setDurability(Durability.FSYNC_WAL);
    // Not thread-safe, but light.
    try (Table opened = connection.getTable(TableName.valueOf(table))) {
      opened.put(put);
    }
    return length;
  }
}
