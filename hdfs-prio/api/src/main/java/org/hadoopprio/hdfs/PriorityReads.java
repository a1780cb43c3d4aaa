// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;

/**
 * HDFS reads with a priority. Thread-safe as far as the stream is.
 *
 * <p>Each method calls the stream's own method inside a {@link PriorityScope}; open a scope
 * yourself for other methods. Without the agent in the client, or on a file system other than HDFS,
 * the priority has no effect. A positioned read carries its priority to the DataNode. If the
 * priority of a sequential read differs from the one at which its block was opened, the block is
 * reopened; another latency target alone is no reason. A target counts from the call, for this read
 * alone; for several reads with one target open a scope.
 */
public final class PriorityReads {

  private PriorityReads() {}

  /**
   * Positioned read.
   *
   * @param position byte offset in the file
   * @param offset index in {@code buffer} of the first byte read
   * @param length the maximum number of bytes to read
   * @return the number of bytes read, or -1 at the end of the file
   */
  public static int read(
      FSDataInputStream in,
      long position,
      byte[] buffer,
      int offset,
      int length,
      IoPriority priority)
      throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      return in.read(position, buffer, offset, length);
    }
  }

  /**
   * Positioned read of exactly {@code length} bytes.
   *
   * @throws EOFException if the file ends earlier
   */
  public static void readFully(
      FSDataInputStream in,
      long position,
      byte[] buffer,
      int offset,
      int length,
      IoPriority priority)
      throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      in.readFully(position, buffer, offset, length);
    }
  }

  /** Sequential read at the stream's position; returns the bytes read, or -1 at the end. */
  public static int read(
      FSDataInputStream in, byte[] buffer, int offset, int length, IoPriority priority)
      throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      return in.read(buffer, offset, length);
    }
  }

  /** Sequential read at the stream's position into a buffer; returns the bytes read, or -1. */
  public static int read(FSDataInputStream in, ByteBuffer buffer, IoPriority priority)
      throws IOException {
    try (PriorityScope scope = PriorityScope.open(priority)) {
      return in.read(buffer);
    }
  }
}
