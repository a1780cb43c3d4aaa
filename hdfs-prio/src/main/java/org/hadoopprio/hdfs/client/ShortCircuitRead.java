// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.hdfs.wire.TurnAnswer;
import org.hadoopprio.hdfs.wire.TurnRequest;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/** The short-circuit read that one thread is doing, and its turn. Used by that thread only. */
final class ShortCircuitRead {

  /**
   * How far ahead of a stream data must be in the page cache for it to go on without its turn. It
   * is more than the kernel reads ahead (read_ahead_kb, doubled by POSIX_FADV_SEQUENTIAL), so what
   * the stream's own read-ahead has left does not count.
   */
  private static final long STREAM_AHEAD_BYTES = 1 << 20;

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ShortCircuitRead.class));

  private BlockReader reader;
  private ShortCircuitReplica replica;

  /** The client and connection of the turn; null without one. */
  private TurnClient client;

  private TurnConnection connection;

  /** How far the turn allows to read, in bytes of the block. */
  private long grantedUntil;

  private int priorityToRestore = ThreadIoPriority.UNCHANGED;

  void begin(BlockReader begun, ShortCircuitReplica ofReader) {
    reader = begun;
    replica = ofReader;
  }

  BlockReader reader() {
    return reader;
  }

  /**
   * Waits until the thread may read the block's file.
   *
   * @param wanted in bytes
   * @return how much it may read now, in bytes
   * @throws RefusedReadException if the thread should read another replica
   * @throws ClosedChannelException if the thread is interrupted, which closes the file as the read
   *     itself would have done, or if another one has closed it
   */
  long allowed(ShortCircuitBlock block, FileChannel file, int wanted, long position)
      throws IOException {
    if (!block.client.isOffered()) {
      return wanted;
    }
    long end = file.size();
    long length = Math.min(wanted, end - position);
    if (length <= 0) {
      return wanted;
    }
    boolean sequential = position == block.lastEnd;
    long allowed = length;
    if (connection != null && position < grantedUntil) {
      allowed = Math.min(length, grantedUntil - position);
    } else if (!isCached(block, position, length, sequential ? end : position + length)
        && !block.rests(replica.getDataStream())) {
      int ahead = (int) Math.min(Math.max(length, STREAM_AHEAD_BYTES), end - position);
      allowed = ask(block, position, (int) length, sequential ? ahead : (int) length);
    }
    block.lastEnd = position + allowed;
    return allowed;
  }

  private boolean isCached(ShortCircuitBlock block, long position, long length, long end)
      throws IOException {
    if (position >= block.cachedFrom && position + length <= block.cachedUntil) {
      return true;
    }
    long ahead = Math.min(Math.max(length, STREAM_AHEAD_BYTES), end - position);
    int descriptor = DescriptorNumber.of(replica.getDataStream().getFD());
    if (!PageCache.isResident(descriptor, position, ahead)) {
      return false;
    }
    block.cachedFrom = position;
    block.cachedUntil = position + ahead < end ? position + Math.max(length, ahead / 2) : end;
    return true;
  }

  private long ask(ShortCircuitBlock block, long position, int length, int ahead)
      throws IOException {
    Hint hint = ClientReads.readHint();
    TurnRequest request =
        TurnRequest.enter(
            block.pool,
            block.id,
            block.generation,
            position,
            length,
            ahead,
            hint,
            block.clientName,
            PageCache.isRefused());
    boolean wasOff = block.isOff(replica.getDataStream());
    TurnConnection held = connection;
    connection = null;
    client = block.client;
    TurnClient.Turn turn;
    try {
      turn = client.enter(held, request);
    } catch (InterruptedIOException e) {
      block.rest(replica.getDataStream());
      PriorityMetrics.LOCAL_UNASKED.increment();
      LOG.warn(
          "Short-circuit reads of the volume of block "
              + block.id
              + " do not wait for their turn for the next "
              + TimeUnit.NANOSECONDS.toSeconds(RestingVolumes.REST_NANOS)
              + " s: the DataNode gives "
              + e.getMessage());
      turn = null;
    }
    if (turn == null) {
      return length;
    }
    connection = turn.connection;
    TurnAnswer answer = turn.answer;
    block.setOff(replica.getDataStream(), answer.isOff());
    if (answer.isOff()) {
      block.rest(replica.getDataStream());
      endTurn();
      ThreadIoPriority.restore(priorityToRestore);
      priorityToRestore = ThreadIoPriority.applyOwn();
      return length;
    }
    if (answer.isLate()) {
      endTurn();
      throw new RefusedReadException("the DataNode says that the read would be late");
    }
    if (answer.isFree()) {
      block.rest(replica.getDataStream());
      endTurn();
      return length;
    }
    PriorityMetrics.LOCAL_READS.increment();
    apply(wasOff ? null : hint.priority(), answer.priority());
    grantedUntil = position + answer.bytes();
    return Math.min(length, answer.bytes());
  }

  /**
   * Sets what was granted, unless it is what the thread has already.
   *
   * <p>The policy may grant less than was stated, or give a priority where none was. The answer
   * says nothing of a target.
   */
  private void apply(IoPriority applied, IoPriority granted) {
    ThreadIoPriority.restore(priorityToRestore);
    priorityToRestore = ThreadIoPriority.UNCHANGED;
    if (!Objects.equals(applied == null ? null : applied.withoutTarget(), granted)) {
      priorityToRestore = ThreadIoPriority.apply(granted == null ? IoPriority.NONE : granted);
    }
  }

  private void endTurn() {
    TurnConnection ended = connection;
    connection = null;
    grantedUntil = 0;
    if (ended != null) {
      client.leave(ended);
    }
  }

  /** The read is over, whether it has succeeded or not. */
  void end() {
    reader = null;
    replica = null;
    try {
      endTurn();
    } finally {
      client = null;
      ThreadIoPriority.restore(priorityToRestore);
      priorityToRestore = ThreadIoPriority.UNCHANGED;
    }
  }
}
