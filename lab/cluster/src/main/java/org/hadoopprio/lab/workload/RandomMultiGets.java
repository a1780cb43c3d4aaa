// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import org.hadoopprio.hbase.client.ParallelGets;
import org.hadoopprio.ycsb.Arrivals;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * A client process that gets several random rows of an HBase table at a time, as a page does that
 * is made of many records, and measures how long it takes until all are there. Such a multi-get
 * comes at random times, or when the one before has ended. In the report, a read is a multi-get.
 */
@Command(name = "RandomMultiGets", mixinStandardHelpOptions = true)
public final class RandomMultiGets implements Callable<Integer> {

  /** How the Gets are sent. */
  public enum Way {
    /** As HBase does: a call, whose Gets the RegionServer does one after the other. */
    SERIAL {
      @Override
      Result[] get(RandomMultiGets client, List<Get> gets) throws IOException {
        try (Table table = client.connection.getTable(client.name())) {
          return table.get(gets);
        }
      }
    },
    /** A call each, one after the other, each with an equal part of the latency target. */
    EACH {
      @Override
      Result[] get(RandomMultiGets client, List<Get> gets) throws IOException {
        Result[] results = new Result[gets.size()];
        try (Table table = client.connection.getTable(client.name())) {
          for (int i = 0; i < results.length; i++) {
            results[i] = table.get(gets.get(i));
          }
        }
        return results;
      }

      @Override
      IoPriority ofGet(IoPriority whole, int gets) {
        return whole.hasTarget()
            ? whole.within(Math.max(IoPriority.LEAST_TARGET, whole.targetMillis() / gets))
            : whole;
      }
    },
    /** A call each, all at once: {@link ParallelGets}. */
    TOGETHER {
      @Override
      Result[] get(RandomMultiGets client, List<Get> gets) throws IOException {
        try {
          return ParallelGets.get(client.asyncConnection.getTable(client.name()), gets)
              .get()
              .toArray(new Result[0]);
        } catch (ExecutionException e) {
          throw new IOException(e.getCause());
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted while rows were read");
        }
      }
    };

    /** Gets the rows, in the order of the Gets. */
    abstract Result[] get(RandomMultiGets client, List<Get> gets) throws IOException;

    /** The priority of one of so many Gets. */
    IoPriority ofGet(IoPriority whole, int gets) {
      return whole;
    }
  }

  @Mixin private MeasuredRun measured;

  @Option(names = "--table", required = true, description = "A table of numbered rows.")
  private String table;

  @Option(names = "--rows", required = true, description = "How many rows the table has.")
  private long rows;

  @Option(names = "--gets", required = true, description = "Rows of a multi-get.")
  private int gets;

  @Option(names = "--way", required = true, description = "${COMPLETION-CANDIDATES}.")
  private Way way;

  @Option(
      names = "--priority",
      description =
          "Of the Gets; a latency target is that of the whole multi-get. Default: they state none.")
  private IoPriority priority;

  @Option(
      names = "--rate",
      description =
          "Multi-gets a second, at random times. Default: a closed loop in each of the threads.")
  private Double rate;

  @Option(names = "--threads", required = true, description = "Multi-gets under way, at most.")
  private int threads;

  @Option(names = "--seed", description = "Of the arrivals.")
  private long seed;

  private Connection connection;
  private AsyncConnection asyncConnection;

  private RandomMultiGets() {}

  /** See {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new RandomMultiGets())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .registerConverter(IoPriority.class, IoPriority::parse)
            .execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException, ExecutionException {
    Configuration conf = HBaseConfiguration.create();
    try (Connection opened = ConnectionFactory.createConnection(conf);
        AsyncConnection asyncOpened = ConnectionFactory.createAsyncConnection(conf).get()) {
      connection = opened;
      asyncConnection = asyncOpened;
      // The first operation of a process is slow while its classes are loaded.
      multiGet();
      measured.report(measure(new ReadLoad(measured.awaitStart())));
    }
    return 0;
  }

  private ReadLatencies measure(ReadLoad load) throws IOException, InterruptedException {
    return rate == null
        ? load.closed(Collections.nCopies(threads, this::multiGet))
        : load.open(this::multiGet, new Arrivals(rate, seed, 0, 0), threads);
  }

  private TableName name() {
    return TableName.valueOf(table);
  }

  /** Returns the bytes of the values. */
  private int multiGet() throws IOException {
    List<Get> all = new ArrayList<>(gets);
    for (int i = 0; i < gets; i++) {
      Get get = new Get(NumberedRows.key(ThreadLocalRandom.current().nextLong(rows)));
      all.add(priority == null ? get : IoPriorities.set(get, way.ofGet(priority, gets)));
    }
    int bytes = 0;
    for (Result result : way.get(this, all)) {
      if (result.isEmpty()) {
        throw new IOException("a row of table " + table + " is missing");
      }
      bytes += result.value().length;
    }
    return bytes;
  }
}
