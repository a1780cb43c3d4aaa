// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.function.BooleanSupplier;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.linux.ThreadIoPriority;

/** Brings to the disk what one {@link ScheduledWrite} has, in turns of the write. */
final class WriteTurns implements TurnWork {

  /**
   * What is at the disk together: a drive without a write cache that has nothing left when a
   * request ends waits for the platter to come round before the next one.
   */
  private static final int TOGETHER_BYTES = 3 * ScheduledWrite.PIECE_BYTES;

  private final ScheduledWrite write;
  private final VolumeQueue queue;
  private final WriteBacklog backlog;
  private final IoPriority priority;
  private final Ticket ticket;

  /** Up to where the kernel was made to write. */
  private long started;

  /**
   * Makes the turns of a write, of which there are none yet.
   *
   * @param weight of its priority
   */
  WriteTurns(
      ScheduledWrite write,
      VolumeQueue queue,
      WriteBacklog backlog,
      IoPriority priority,
      double weight) {
    this.write = write;
    this.queue = queue;
    this.backlog = backlog;
    this.priority = priority;
    this.ticket = new Ticket(priority, weight, new Stream());
    this.ticket.setWrites();
  }

  /** Sets whose use of the disk it counts for. */
  void setOwner(Owner owner) {
    ticket.setOwner(owner);
  }

  /** Sets whether writes of its volume take turns at present. */
  void setInForce(BooleanSupplier sign) {
    ticket.inForce = sign;
  }

  /** About what it writes in a turn now, in bytes. */
  long bytes() {
    return queue.turnBytes(ticket);
  }

  /**
   * Begins to take turns, until {@link ScheduledWrite#goesOn} says that there is nothing to write,
   * or one does not come.
   *
   * @return false if this process has no thread to begin with
   */
  boolean start() {
    return TurnThreads.start(
        () -> {
          started = 0;
          attempt(() -> seek(write.position()) > 0);
        });
  }

  @Override
  public void inTurn() {
    attempt(
        () -> {
          ThreadIoPriority.settle(priority);
          return write();
        });
  }

  @Override
  public void withoutTurn() {
    write.leftToKernel();
  }

  /**
   * Does some work, and then asks for a turn, or ends.
   *
   * @param work returns whether it needs one
   */
  private void attempt(BooleanSupplier work) {
    boolean asks = false;
    try {
      asks = work.getAsBoolean();
    } catch (RuntimeException | Error e) {
      write.failed(e);
    }
    try {
      if (!asks) {
        queue.done(ticket);
      }
      while (!asks && write.goesOn()) {
        started = 0;
        asks = seek(write.position()) > 0;
      }
      if (asks) {
        ticket.setStreams(backlog.streams(write.counted(), bytes()));
        // From here on another thread may do the work.
        queue.whenItHasATurn(ticket, this);
      }
    } catch (RuntimeException | Error e) {
      write.failed(e);
      write.goesOn();
    }
  }

  /**
   * Goes on to what has yet to be written. Does not use the disk.
   *
   * @param written up to where it was
   * @return its length in bytes, or 0 if that is all
   */
  private int seek(long written) {
    int bytes = write.next(written);
    long at = write.position();
    while (bytes > 0 && at >= started && write.data().isClean(at, bytes)) {
      bytes = write.next(at + bytes);
      at = write.position();
    }
    return bytes;
  }

  /** Writes in a turn; returns whether there is more to write in the next one. */
  private boolean write() {
    WrittenFile data = write.data();
    long at = write.position();
    for (int bytes = seek(at); bytes > 0; bytes = seek(at + bytes)) {
      at = write.position();
      ticket.setPlace(data.place(Math.max(0, at - 1)));
      // The first piece is what it was let in for, as in TurnReadahead.
      if (ticket.bytes() > 0 && !queue.mayContinue(ticket, queue.now())) {
        return true;
      }
      long to = Math.min(at + TOGETHER_BYTES, write.wholeEnd());
      long from = Math.max(started, at);
      boolean good = to <= from || data.startWrite(from, to - from);
      started = Math.max(started, to);
      if (!good || !data.awaitWritten(at, bytes)) {
        write.giveUp();
        return false;
      }
      ticket.read(bytes);
      queue.awaitDrive(ticket);
    }
    return false;
  }
}
