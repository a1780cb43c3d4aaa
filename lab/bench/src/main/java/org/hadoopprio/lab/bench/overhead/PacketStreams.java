package org.hadoopprio.lab.bench.overhead;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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

  private final InetSocketAddress dataNode;
  private final List<LocatedBlock> blocks;
  private final boolean dropBehind;
  private final List<PacketRead> reads = new ArrayList<>();
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH);

  /** What was read by reads that are over. */
  private long pastPackets;

  private long pastBytes;

  private PacketStreams(InetSocketAddress dataNode, List<LocatedBlock> blocks, boolean dropBehind) {
    this.dataNode = dataNode;
    this.blocks = blocks;
    this.dropBehind = dropBehind;
  }

  /**
   * Begins to read.
   *
   * @param blocks one for each stream
   * @param dropBehind whether the page cache shall not keep what was read
   */
  static PacketStreams start(
      InetSocketAddress dataNode, List<LocatedBlock> blocks, boolean dropBehind)
      throws IOException {
    PacketStreams streams = new PacketStreams(dataNode, blocks, dropBehind);
    try {
      for (LocatedBlock block : blocks) {
        streams.reads.add(streams.open(block));
      }
      return streams;
    } catch (IOException | RuntimeException e) {
      streams.close();
      throw e;
    }
  }

  private PacketRead open(LocatedBlock block) throws IOException {
    return PacketRead.open(
        dataNode, block, 0, block.getBlockSize(), true, dropBehind, RECEIVE_BUFFER);
  }

  /**
   * Reads for some time.
   *
   * @throws IOException if a read fails
   */
  void read(double seconds) throws IOException {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      for (int i = 0; i < reads.size(); i++) {
        PacketRead read = reads.get(i);
        read.take(scratch);
        if (read.isDone()) {
          pastPackets += read.packets();
          pastBytes += read.dataBytes();
          read.close();
          reads.set(i, open(blocks.get(i)));
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedIOException("interrupted");
      }
    }
  }

  /** How many packets all streams have got since the start. */
  long packets() {
    return pastPackets + reads.stream().mapToLong(PacketRead::packets).sum();
  }

  /** How many bytes of blocks these hold. */
  long bytes() {
    return pastBytes + reads.stream().mapToLong(PacketRead::dataBytes).sum();
  }

  @Override
  public void close() throws IOException {
    for (PacketRead read : reads) {
      read.close();
    }
  }
}
