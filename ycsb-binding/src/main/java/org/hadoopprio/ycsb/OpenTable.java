// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import site.ycsb.Status;

/** The table of one YCSB thread: reads are sent at once, writes at once or buffered. */
final class OpenTable implements Closeable {

  private final Table table;
  private final BufferedMutator mutator;

  OpenTable(Connection connection, String name, BindingSettings settings) throws IOException {
    TableName tableName = TableName.valueOf(name);
    mutator =
        settings.clientBuffering()
            ? connection.getBufferedMutator(
                new BufferedMutatorParams(tableName).writeBufferSize(settings.writeBufferBytes()))
            : null;
    table = connection.getTable(tableName);
  }

  Table table() {
    return table;
  }

  Status put(Put put) throws IOException {
    if (mutator != null) {
      mutator.mutate(put);
      return Status.BATCHED_OK;
    }
    table.put(put);
    return Status.OK;
  }

  Status delete(Delete delete) throws IOException {
    if (mutator != null) {
      mutator.mutate(delete);
      return Status.BATCHED_OK;
    }
    table.delete(delete);
    return Status.OK;
  }

  /** Sends buffered writes and closes; throws if a buffered write failed. */
  @Override
  public void close() throws IOException {
    try (table) {
      if (mutator != null) {
        mutator.close();
      }
    }
  }
}
