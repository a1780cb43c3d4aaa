// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import java.util.function.BooleanSupplier;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.hdfs.wire.RefusedReadException;

/**
 * One read of a block, from its first use of the disk to its last, as its thread goes through it.
 * Used by that thread only.
 */
abstract class ScheduledRead {

  /**
   * A real-time read passes the gate each time it has read this much: an HBase Get passes it once.
   */
  static final long REALTIME_BYTES = StreamTable.SHORT_BYTES;

  /**
   * The least of a later part of a real-time read that goes on while others want the disk: it is
   * sequential, and that much of it is read at once ({@link VolumeQueue#partBytes}).
   */
  static final long CONTINUED_BYTES = 1 << 20;

  final VolumeQueue queue;
  final SchedulerSettings settings;
  final Ticket ticket;
  final ReplicaPages pages = new ReplicaPages();

  /** Null if it is not known. */
  private BlockRead what;

  private boolean begun;
  private boolean withoutReadBlock;
  private boolean inPacket;

  ScheduledRead(VolumeQueue queue, SchedulerSettings settings, Ticket ticket) {
    this.queue = queue;
    this.settings = settings;
    this.ticket = ticket;
    ticket.longestWaitNanos = settings.longestWaitNanos(0);
  }

  /**
   * Describes a read.
   *
   * @param priority what the read was granted; null for none
   * @param stream the stream it belongs to; null for a short read; real-time has none
   */
  static ScheduledRead of(
      VolumeQueue queue, SchedulerSettings settings, IoPriority priority, Stream stream) {
    return priority != null && priority.ioClass() == IoClass.REALTIME
        ? new RealtimeRead(queue, settings, priority)
        : new LowerRead(queue, settings, priority, stream);
  }

  /**
   * Sets when the read should be answered, and how long its client is patient.
   *
   * @param granted has the latency target, which counts from now; null for none
   */
  void setTarget(IoPriority granted, BlockRead read) {
    what = read;
    ticket.setTarget(granted, read.following(), queue.now());
  }

  /** Sets how long its packets may wait together, in nanoseconds; real-time keeps to its share. */
  void setTime(long nanos) {}

  /** Sets for how long its packets may wait for turns, in nanoseconds of the clock, from now. */
  void setHurry(long nanos) {}

  /** Whether it has had that time, and so must not wait any more. */
  boolean isOutOfTime() {
    return false;
  }

  /** Sets for whom it reads; whoever waits looks whether the client is still there. */
  void setClient(ClientConnection client) {
    ticket.client = client;
  }

  /** Whether the client was gone when the read waited last; then it must read nothing more. */
  boolean isClientGone() {
    return ticket.client.isGone();
  }

  /** Nobody tells when the read has failed: no readBlock is around it. */
  void setWithoutReadBlock() {
    withoutReadBlock = true;
  }

  boolean isWithoutReadBlock() {
    return withoutReadBlock;
  }

  /** Sets whether reads of its volume take turns at present. */
  void setInForce(BooleanSupplier sign) {
    ticket.inForce = sign;
  }

  /** Whether reads of its volume still take turns. */
  boolean isInForce() {
    return ticket.inForce.getAsBoolean();
  }

  /**
   * Whether the read is known to go on. One without a readBlock may have failed with its last
   * packet, and its thread may do something else since.
   */
  boolean isGoingOn() {
    return inPacket || !withoutReadBlock;
  }

  /** The read has opened the file of the replica's checksums, and is about to read its header. */
  void setChecksums(FileDescriptor file) {
    pages.setChecksums(file);
  }

  /** Whether it is known where it begins, and that is where the block does. */
  final boolean beginsBlock() {
    return what != null && what.offset() == 0;
  }

  /** Whether it may be refused if it would miss its latency target. */
  final boolean mayRefuse() {
    return what != null && what.mayRefuse();
  }

  /**
   * Whether all data of the read is in the page cache, found out before its files are open and
   * without use of the disk; asked only if it would have to wait, be held, or be refused.
   */
  final boolean isCachedAndKnown() {
    return what != null && what.isCachedAndKnown();
  }

  /**
   * The read is about to open the replica's files. A real-time read may have to wait here.
   *
   * @throws RefusedReadException if it may be refused, and would miss its latency target
   */
  final void begin() throws RefusedReadException {
    begun = true;
    queue.setLimits(settings.limits());
    open();
  }

  abstract void open() throws RefusedReadException;

  /** Or else it is a transfer that connects to the other DataNode. */
  boolean isBegun() {
    return begun;
  }

  /** Its files are open. */
  void endOpening() {}

  /**
   * The read is about to read a packet, and waits until it may.
   *
   * @param offset of the packet in the block, in bytes
   * @param end of the read in the block, in bytes
   * @param data knows what is in the page cache
   */
  void packet(long offset, long end, CachedData data) {
    inPacket = true;
    endOpening();
    long now = queue.now();
    // Also of who finds its data in the page cache: the kernel would go on there by itself.
    pages.letKernelReadAhead(isAlone(now), data.file());
    if (!pages.has(offset)) {
      use(offset, end, data, now);
    }
  }

  /** The packet may need the disk, and waits until it may use it. */
  abstract void use(long offset, long end, CachedData data, long now);

  /**
   * The read goes on as by stock HDFS; {@link #finish} must follow.
   *
   * @param file the open file of the replica's data; null if it has none
   */
  void leaveToKernel(FileDescriptor file) {
    pages.letKernelReadAhead(true, file);
  }

  /** The packet has been read and sent, or has failed. */
  void packetDone(long offset, int bytes) {
    inPacket = false;
  }

  /** The thread waits for something other than the disk. */
  abstract void suspend();

  /** The thread waits for something else to the end of its packet. */
  void leave() {
    suspend();
  }

  /** The thread goes on with its packet, and waits until it may if it has lost its turn. */
  abstract void resume();

  /**
   * The number of bytes that HDFS may read ahead of this read, at most {@code asked}. While others
   * use the disk, {@link TurnReadahead} reads ahead of a stream.
   */
  long readaheadBytes(long asked) {
    // The pool takes over the thread's priority.
    endOpening();
    return isAlone(queue.now()) ? asked : 0;
  }

  /** Whether it is read as by stock HDFS, because nobody else uses the disk. */
  abstract boolean isAlone(long now);

  /** The read needs the disk no more. */
  final void finish() {
    if (begun) {
      leaveDisk();
    }
  }

  abstract void leaveDisk();
}
