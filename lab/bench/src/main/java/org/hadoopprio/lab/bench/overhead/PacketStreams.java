package org.hadoopprio.lab.bench.overhead;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Streams that each read a block from its begin to its end, again and again. One thread takes what
 * has arrived for all of them and then pauses: to be woken for each packet would cost more than the
 * packet. Not safe for use by several threads.
 */
final class PacketStreams implements Closeable {

  /** Enough for what a stream can send while this side pauses. */
  private static final int RECEIVE_BUFFER = 2 << 20;

  private static final int SCRATCH = 1 << 20;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** What a stream needs at most to come to its next read. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final List<PacketRead> reads = new ArrayList<>();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH);

  /** The streams that have begun a read since {@link #settle} was called. */
  private final Set<PacketRead> begun = new HashSet<>();

  private PacketStreams() {}

  /**
   * Begins to read.
   *
   * @param blocks one for each stream
   * @param dropBehind whether the page cache shall not keep what was read
   */
  static PacketStreams start(
      InetSocketAddress dataNode, List<LocatedBlock> blocks, boolean dropBehind)
      throws IOException {
    PacketStreams streams = new PacketStreams();
    try {
      for (LocatedBlock block : blocks) {
        streams.reads.add(
            PacketRead.open(
                dataNode, block, 0, block.getBlockSize(), true, dropBehind, RECEIVE_BUFFER));
      }
      return streams;
    } catch (IOException | RuntimeException e) {
      streams.close();
      throw e;
    }
  }

  /**
   * Reads until each stream has begun another read: a read keeps the mode in which it has begun.
   *
   * @throws IOException if a read fails, or a stream needs more than 60 s
   */
  void settle() throws IOException {
    begun.clear();
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (begun.size() < reads.size()) {
      if (System.nanoTime() > end) {
        throw new IOException(
            reads.size() - begun.size() + " streams have not read their block in a minute");
      }
      pass();
    }
  }

  /**
   * Reads for some time.
   *
   * @throws IOException if a read fails
   */
  void read(double seconds) throws IOException {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      pass();
    }
  }

  private void pass() throws IOException {
    for (PacketRead read : reads) {
      read.take(scratch);
      if (read.isDone()) {
        read.again();
        begun.add(read);
      }
    }
    LockSupport.parkNanos(PAUSE_NANOS);
    if (Thread.interrupted()) {
      throw new InterruptedIOException("interrupted");
    }
  }

  /** How many packets all streams have got since the start. */
  long packets() {
    return reads.stream().mapToLong(PacketRead::packets).sum();
  }

  /** How many bytes of blocks these hold. */
  long bytes() {
    return reads.stream().mapToLong(PacketRead::dataBytes).sum();
  }

  @Override
  public void close() throws IOException {
    for (PacketRead read : reads) {
      read.close();
    }
  }
}
