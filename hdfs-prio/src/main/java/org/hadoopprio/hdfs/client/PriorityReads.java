package org.hadoopprio.hdfs.client;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;

/**
 * HDFS reads that take a priority.
 *
 * <p>Each is the stream's own method inside a {@link PriorityScope}; use a scope directly for
 * anything not here. Without the agent in the client, or on a file system other than HDFS, the read
 * is an ordinary one. A positioned read takes the priority with it; for a sequential read whose
 * priority differs from the one its block was opened with, the block is opened anew.
 */
public final class PriorityReads {

  private PriorityReads() {}

  /**
   * Positioned read.
   *
   * @param position byte offset in the file
   * @param offset index in {@code buffer} of the first byte read
   * @param length the most bytes to read
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
   * @throws EOFException if the file ends before
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
