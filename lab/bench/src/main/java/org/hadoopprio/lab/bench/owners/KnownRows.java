// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.owners;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The rows of a table, each of which has a version that only grows. It is known which version each
 * row must have at least, and which it can have at most. Thread-safe if a row has one writer.
 */
final class KnownRows {

  static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("c");
  private static final int VALUE_BYTES = 4096;

  private final AtomicIntegerArray attempted;
  private final AtomicIntegerArray acknowledged;

  KnownRows(int count) {
    attempted = new AtomicIntegerArray(count);
    acknowledged = new AtomicIntegerArray(count);
  }

  int count() {
    return attempted.length();
  }

  static byte[] key(int row) {
    return Bytes.toBytes(String.format("row%08d", row));
  }

  private static int row(byte[] key) {
    return Integer.parseInt(Bytes.toString(key).substring("row".length()));
  }

  /** The next version of a row; {@link #written} when it is there. */
  Put next(int row) {
    int version = attempted.incrementAndGet(row);
    return new Put(key(row)).addColumn(FAMILY, COLUMN, value(row, version));
  }

  private static byte[] value(int row, int version) {
    byte[] value = KnownData.bytes((long) row << Integer.SIZE | version, VALUE_BYTES);
    ByteBuffer.wrap(value).putInt(version);
    return value;
  }

  /** HBase has acknowledged the latest version of a row. */
  void written(int row) {
    acknowledged.set(row, attempted.get(row));
  }

  /** The version that a read that begins now must find, or a later one. */
  int acknowledged(int row) {
    return acknowledged.get(row);
  }

  /** The same for some rows. */
  int[] acknowledged(int from, int to) {
    int[] versions = new int[to - from];
    Arrays.setAll(versions, i -> acknowledged.get(from + i));
    return versions;
  }

  /**
   * Checks what was read.
   *
   * @param atLeast the version that was acknowledged before the read began
   * @throws IOException if it is older, or is not what was written
   */
  void check(int row, Result read, int atLeast) throws IOException {
    byte[] value = read.getValue(FAMILY, COLUMN);
    if (value == null || value.length != VALUE_BYTES || row(read.getRow()) != row) {
      throw new IOException("row " + row + " is not there: " + read);
    }
    int version = ByteBuffer.wrap(value).getInt();
    if (version < atLeast || version > attempted.get(row)) {
      throw new IOException("row " + row + " has version " + version + " and not " + atLeast);
    }
    if (!Arrays.equals(value, value(row, version))) {
      throw new IOException("row " + row + " differs from what was written");
    }
  }
}
