package org.hadoopprio.lab.bench.overhead;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Gets of random rows of one table. Not safe for use by several threads. */
final class HBaseLoad implements Closeable {

  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("c");
  private static final long SEED = 1;

  private final Configuration conf;
  private final TableName name;
  private final Hint hint;
  private final Random random = new Random(SEED);
  private Connection connection;
  private Table table;

  HBaseLoad(Configuration conf, TableName name, Hint hint) {
    this.conf = conf;
    this.name = name;
    this.hint = hint;
  }

  /** The table of a variant's number. */
  static TableName table(String number) {
    return TableName.valueOf("overhead-" + number);
  }

  /** Writes all rows. */
  static void fill(Table table) throws IOException {
    Random random = new Random(SEED);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < LoadClient.ROWS; i++) {
      byte[] value = new byte[LoadClient.VALUE_BYTES];
      random.nextBytes(value);
      puts.add(new Put(Bytes.toBytes(i)).addColumn(FAMILY, COLUMN, value));
    }
    table.put(puts);
  }

  long get() throws IOException {
    if (connection == null) {
      connection = ConnectionFactory.createConnection(conf);
      table = connection.getTable(name);
    }
    Result row = table.get(hint.on(new Get(Bytes.toBytes(random.nextInt(LoadClient.ROWS)))));
    if (row.isEmpty()) {
      throw new IOException(name + " lacks a row");
    }
    return LoadClient.VALUE_BYTES;
  }

  @Override
  public void close() throws IOException {
    if (connection != null) {
      table.close();
      connection.close();
    }
  }
}
