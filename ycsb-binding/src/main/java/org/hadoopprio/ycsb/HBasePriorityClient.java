// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/**
 * The YCSB binding for the HBase 2 client. Operations carry the I/O priority that the properties
 * {@code hbase.ioprio...} state. The binding's README describes the properties.
 *
 * <p>YCSB creates one instance per thread. All instances of a process share one HBase connection.
 */
public final class HBasePriorityClient extends DB {

  private static final SharedResource<Connection> CONNECTION = new SharedResource<>();

  private final Map<String, OpenTable> tables = new HashMap<>();
  private BindingSettings settings;
  private byte[] family;
  private Connection connection;
  private PriorityLatencies latencies;
  private boolean failureShown;

  /**
   * Checks the properties and connects.
   *
   * @throws DBException if a property is invalid (the message names it, its value and what is
   *     allowed), or if the table or the column family cannot be read
   */
  @Override
  public void init() throws DBException {
    settings = new BindingSettings(getProperties());
    family = Bytes.toBytes(settings.columnFamily());
    // YCSB's client has already done this with the same properties; its shell has not.
    Measurements.setProperties(getProperties());
    latencies = new PriorityLatencies(Measurements.getMeasurements());
    try {
      connection = CONNECTION.acquire(() -> HBaseConnections.open(settings));
    } catch (IOException e) {
      throw new DBException(
          "cannot use column family "
              + settings.columnFamily()
              + " of HBase table "
              + settings.table()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Sends buffered writes and closes this thread's tables; the process's last thread closes the
   * connection.
   *
   * @throws DBException if a buffered write failed
   */
  @Override
  public void cleanup() throws DBException {
    if (connection == null) {
      return;
    }
    IOException failure = null;
    for (OpenTable table : tables.values()) {
      failure = closing(failure, table::close);
    }
    tables.clear();
    connection = null;
    failure = closing(failure, CONNECTION::release);
    if (failure != null) {
      throw new DBException(failure);
    }
  }

  /** Something that ends with an IOException at worst. */
  private interface Closing {
    void close() throws IOException;
  }

  /** Closes whatever failed before, and keeps the first failure. */
  private static IOException closing(IOException earlier, Closing closing) {
    try {
      closing.close();
      return earlier;
    } catch (IOException e) {
      if (earlier == null) {
        return e;
      }
      earlier.addSuppressed(e);
      return earlier;
    }
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return run(
        Operation.READ,
        table,
        key,
        (target, priority) -> {
          Get get = carrying(priority, new Get(Bytes.toBytes(key)));
          if (selectsAll(fields)) {
            get.addFamily(family);
          } else {
            fields.forEach(field -> get.addColumn(family, Bytes.toBytes(field)));
          }
          Result row = target.table().get(get);
          if (row.isEmpty()) {
            return Status.NOT_FOUND;
          }
          copy(row, result);
          return Status.OK;
        });
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  public Status scan(
      String table,
      String startkey,
      int recordcount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return run(
        Operation.SCAN,
        table,
        startkey,
        (target, priority) -> {
          Scan scan = carrying(priority, new Scan());
          scan.withStartRow(Bytes.toBytes(startkey)).setLimit(recordcount).setCaching(recordcount);
          if (settings.usePageFilter()) {
            scan.setFilter(new PageFilter(recordcount));
          }
          if (selectsAll(fields)) {
            scan.addFamily(family);
          } else {
            fields.forEach(field -> scan.addColumn(family, Bytes.toBytes(field)));
          }
          try (ResultScanner rows = target.table().getScanner(scan)) {
            for (Result row : rows) {
              HashMap<String, ByteIterator> values = new HashMap<>();
              copy(row, values);
              result.add(values);
            }
          }
          return Status.OK;
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return put(Operation.INSERT, table, key, values);
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return put(Operation.UPDATE, table, key, values);
  }

  private Status put(
      Operation operation, String table, String key, Map<String, ByteIterator> values) {
    return run(
        operation,
        table,
        key,
        (target, priority) -> {
          Put put = carrying(priority, new Put(Bytes.toBytes(key)));
          put.setDurability(settings.durability());
          values.forEach(
              (field, value) -> put.addColumn(family, Bytes.toBytes(field), value.toArray()));
          return target.put(put);
        });
  }

  /**
   * Deletes the record's column family; in HBase it is not an error if the record does not exist.
   */
  @Override
  public Status delete(String table, String key) {
    return run(
        Operation.DELETE,
        table,
        key,
        (target, priority) -> {
          Delete delete = carrying(priority, new Delete(Bytes.toBytes(key)));
          delete.addFamily(family).setDurability(settings.durability());
          return target.delete(delete);
        });
  }

  private static boolean selectsAll(Set<String> fields) {
    return fields == null || fields.isEmpty();
  }

  private static <T extends OperationWithAttributes> T carrying(IoPriority priority, T operation) {
    return priority == null ? operation : IoPriorities.set(operation, priority);
  }

  private static void copy(Result row, Map<String, ByteIterator> values) {
    for (Cell cell : row.rawCells()) {
      values.put(
          Bytes.toString(
              cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength()),
          new ByteArrayByteIterator(CellUtil.cloneValue(cell)));
    }
  }

  /** One operation against a table. */
  private interface Work {
    Status on(OpenTable table, IoPriority priority) throws IOException;
  }

  private Status run(Operation operation, String table, String key, Work work) {
    PriorityShare share = settings.priorityOf(operation);
    IoPriority priority = share.draw();
    long start = System.nanoTime();
    Status status;
    try {
      status = work.on(open(table), priority);
      if (settings.debug()) {
        System.err.println(describe(operation, table, key, priority) + ": " + status.getName());
      }
    } catch (IOException e) {
      status = Failures.statusOf(e);
      showFailure(describe(operation, table, key, priority), status, e);
    }
    if (share.isMixed()) {
      latencies.record(operation, priority, status, start);
    }
    return status;
  }

  private OpenTable open(String name) throws IOException {
    OpenTable table = tables.get(name);
    if (table == null) {
      table = new OpenTable(connection, name, settings);
      tables.put(name, table);
    }
    return table;
  }

  private static String describe(
      Operation operation, String table, String key, IoPriority priority) {
    return operation + " " + table + " " + key + (priority == null ? "" : " at " + priority);
  }

  /** Prints the first failure of each thread, or all with debug, because YCSB only counts them. */
  private void showFailure(String what, Status status, IOException failure) {
    if (settings.debug() || !failureShown) {
      failureShown = true;
      System.err.println(what + ": " + status.getName() + ": " + failure);
    }
  }
}
