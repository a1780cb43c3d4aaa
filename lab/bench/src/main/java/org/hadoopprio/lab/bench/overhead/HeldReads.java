package org.hadoopprio.lab.bench.overhead;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * Many reads that have begun and whose client takes nothing until it ends them. In the DataNode
 * each has a thread, a DataXceiver, that waits for the client. They are reads without checksums,
 * which need fewer of the DataNode's file descriptors. Not safe for use by several threads.
 */
final class HeldReads implements Closeable {

  /**
   * More than a short read, so that each is a stream of its own to the scheduler. The kernel may
   * have room for some of them in the DataNode's sockets; their DataXceivers then wait for the
   * client's answer. It has not for all: 4,096 of them are more than its limit for TCP (tcp_mem)
   * here, so the others wait in the middle.
   */
  static final int BYTES = 512 << 10;

  /** Small, because as much of the kernel's memory is used by each read. */
  private static final int RECEIVE_BUFFER = 16 << 10;

  private static final int SCRATCH = 256 << 10;
  private static final int OPENERS = 8;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final List<PacketRead> reads;

  private HeldReads(List<PacketRead> reads) {
    this.reads = reads;
  }

  /**
   * Begins reads, all over the blocks.
   *
   * @throws IOException if the DataNode does not accept one of them
   */
  static HeldReads open(InetSocketAddress dataNode, List<LocatedBlock> blocks, int count)
      throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(OPENERS);
    HeldReads held = new HeldReads(new ArrayList<>());
    try {
      List<Callable<PacketRead>> openings = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        LocatedBlock block = blocks.get(i % blocks.size());
        long places = block.getBlockSize() / BYTES;
        long offset = i / blocks.size() % places * BYTES;
        openings.add(
            () -> PacketRead.open(dataNode, block, offset, BYTES, false, false, RECEIVE_BUFFER));
      }
      ExecutionException failure = null;
      for (Future<PacketRead> opening : threads.invokeAll(openings)) {
        try {
          held.reads.add(opening.get());
        } catch (ExecutionException e) {
          failure = e;
        }
      }
      if (failure != null) {
        held.close();
        throw new IOException(
            "only "
                + held.reads.size()
                + " of "
                + count
                + " reads could be opened: "
                + failure.getCause(),
            failure.getCause());
      }
      return held;
    } catch (InterruptedException e) {
      held.close();
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reads were being opened");
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Takes the data of all reads until each has ended.
   *
   * @return how many of them have failed: ended too early, or were not done after 120 s
   */
  int finish() throws IOException {
    ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH);
    List<PacketRead> open = new ArrayList<>(reads);
    long end = System.nanoTime() + PATIENCE_NANOS;
    int failed = 0;
    while (!open.isEmpty() && System.nanoTime() < end) {
      for (Iterator<PacketRead> each = open.iterator(); each.hasNext(); ) {
        PacketRead read = each.next();
        boolean broken = false;
        try {
          read.take(scratch);
        } catch (IOException e) {
          broken = true;
        }
        if (broken || read.isDone()) {
          failed += broken || read.dataBytes() != BYTES ? 1 : 0;
          read.close();
          each.remove();
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedIOException("interrupted while reads were being ended");
      }
    }
    return failed + open.size();
  }

  @Override
  public void close() throws IOException {
    for (PacketRead read : reads) {
      read.close();
    }
  }
}
