// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.FileExtent;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.linux.ThreadIoPriority;

/**
 * One piece of a read that a client does itself (short circuit), as the DataNode's thread for this
 * client takes it through the queue of its volume. Used by that thread only.
 */
public final class ShortCircuitPiece {

  /**
   * The most that a client may read before it asks again: little enough for a real-time read not to
   * wait long behind it, and enough for the question to cost nothing beside it.
   */
  private static final int LOWER_BYTES = 512 << 10;

  private static final int REALTIME_BYTES = (int) StreamTable.SHORT_BYTES;

  private final VolumeQueue queue;
  private final SchedulerSettings settings;
  private final int bytes;
  private final long block;
  private final long offset;
  private final Owner owner;

  /** The stream that the read continues, or that others may continue after it. */
  private final ReadStream stream;

  private final boolean continues;
  private final boolean mayRefuse;
  private final Ticket ticket;
  private final IoPriority priority;

  /** Whether the read has come through the queue, and so may be continued. */
  private boolean passed;

  /** Whether it is one of the real-time reads that go on. */
  private boolean counted;

  private ShortCircuitPiece(
      VolumeQueue queue,
      SchedulerSettings settings,
      BlockRead what,
      IoPriority priority,
      Owner owner) {
    this.queue = queue;
    this.settings = settings;
    this.priority = priority == null ? null : priority.withoutTarget();
    this.offset = what.offset();
    this.owner = owner;
    boolean realtime = owner.diskClass() == DiskClass.REALTIME;
    this.bytes = (int) Math.min(what.length(), realtime ? REALTIME_BYTES : LOWER_BYTES);
    this.block = what.block();
    ReadStream before = before();
    this.continues = before != null;
    this.stream = continues ? before : new ReadStream();
    this.mayRefuse = what.mayRefuse();
    boolean streams = !realtime && (continues || bytes > StreamTable.SHORT_BYTES);
    this.ticket = new Ticket(priority, settings.limits().weight(priority), streams ? stream : null);
    ticket.setOwner(owner);
    ticket.setTarget(priority, what.following(), queue.now());
  }

  /** The stream that the read continues; null if there is none. */
  private ReadStream before() {
    ReadStream ahead = queue.streams().readAhead(block, offset, owner);
    ReadStream found =
        ahead != null ? ahead : queue.streams().take(block, offset, owner, queue.now());
    // It may be another client's, of another level: what is read ahead has one priority.
    boolean isOther = found != null && found.readahead != null && !found.readahead.isAt(priority);
    return isOther ? new ReadStream() : found;
  }

  /**
   * Whether short-circuit readers of a DataNode have something to ask: on at least one of its
   * volumes they wait for their turn, or are to read as in stock HDFS.
   */
  public static boolean isAnyAsked(DataNode dataNode) {
    Configuration conf = dataNode.getConf();
    // Null until the DataNode has reached a NameNode.
    FsDatasetSpi<?> data = dataNode.getFSDataset();
    if (data == null) {
      return false;
    }
    boolean any = false;
    try (FsDatasetSpi.FsVolumeReferences volumes = data.getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        Volume known = Volumes.of(conf, volume);
        any |= known.mode().isStock() || isAsked(known);
      }
    } catch (IOException e) {
      // Only the release of the volumes has failed.
      return any;
    }
    return any;
  }

  /** Whether short-circuit reads of that volume wait for their turn. */
  public static boolean isAsked(Volume volume) {
    return volume.settings().isLocal() && volume.queue() != null;
  }

  /**
   * The read of a piece of a block; null if it does not wait for its turn. {@link #enter} must
   * follow.
   *
   * @param priority what the read was granted; null for none
   * @param request that it is a part of
   */
  public static ShortCircuitPiece of(BlockRead what, IoPriority priority, DiskRequest request) {
    Volume volume = what.volume();
    VolumeQueue queue = volume.queue();
    if (queue == null) {
      return null;
    }
    ShortCircuitPiece piece =
        new ShortCircuitPiece(queue, volume.settings(), what, priority, request.owner(priority));
    piece.ticket.inForce = volume::isInForce;
    return piece;
  }

  /**
   * Waits until the client may read.
   *
   * @throws UncheckedIOException from {@link ReplicaFiles#waits}
   * @throws RefusedReadException if the read may be refused, and would miss its latency target;
   *     {@link #leave} must follow
   */
  public void enter(ReplicaFiles files) throws RefusedReadException {
    queue.setLimits(settings.limits());
    if (ticket.isRealtime()) {
      ticket.setContinues(continues);
      boolean cached = false;
      long late = mayRefuse && !continues ? queue.lateNanos(ticket) : 0;
      if (ticket.hasDeadline() && (late > 0 || queue.hasLower())) {
        cached = files.isCached();
        if (cached) {
          ticket.clearDeadline();
        } else if (late > 0) {
          throw RefusedReadException.expected(queue.volume(), late);
        }
      }
      if (queue.hasLower()) {
        ticket.setPlace(place(files));
      }
      counted = true;
      queue.realtimeReaders().begun();
      queue.enterRealtime(ticket, !continues, () -> isCached(files));
      // The client has the file open.
      queue.openedRealtime(ticket);
      // What is in the page cache needs no turn, and is not held.
      passed = ticket.hasUsedDisk() && !cached;
      if (passed) {
        read(files);
      }
      return;
    }
    long until = queue.now() + VolumeQueue.MAX_WAIT_NANOS;
    if (!isReadAhead(files, until)) {
      queue.enter(ticket, () -> isCached(files), until);
    }
    passed = true;
  }

  /**
   * While others use the disk, this process reads for a real-time client, which finds the data in
   * the page cache: the kernel would read ahead of the client's open file, and nobody would pay.
   */
  private void read(ReplicaFiles files) {
    // A read that goes on finds most of its next mebibyte read, but for as much as it has taken.
    queue.counters().moved(DiskClass.REALTIME, bytes);
    if (!queue.isBesideOthers(queue.now(), 0)) {
      return;
    }
    int applied = ThreadIoPriority.apply(priority);
    try (FileInputStream data = files.data()) {
      int descriptor = DescriptorNumber.of(data.getFD());
      long left = data.getChannel().size() - offset;
      long wanted = continues ? ScheduledRead.CONTINUED_BYTES : bytes;
      long length = Math.min(wanted, left);
      PageCache.readNothingAhead(descriptor);
      files.waits();
      if (length > 0 && PageCache.load(descriptor, offset, length)) {
        queue.doneRealtime(ticket);
      }
    } catch (IOException e) {
      // The replica is not what the client has open: then the client reads it in its turn.
      return;
    } finally {
      ThreadIoPriority.restore(applied);
    }
  }

  private static boolean isCached(ReplicaFiles files) {
    boolean cached = files.isCached();
    if (!cached) {
      files.waits();
    }
    return cached;
  }

  private long place(ReplicaFiles files) {
    try (FileInputStream data = files.data()) {
      return FileExtent.of(DescriptorNumber.of(data.getFD()), offset).place(offset);
    } catch (IOException e) {
      // The replica is not what the client has open.
      return FileExtent.UNKNOWN;
    }
  }

  /**
   * Whether the client need not use the disk because this process has read ahead for it; waits
   * until it has. The page cache is the same for both.
   */
  private boolean isReadAhead(ReplicaFiles files, long until) {
    if (ticket.stream() == null) {
      return false;
    }
    TurnReadahead readahead = stream.readahead;
    boolean ahead = readahead != null && readahead.isAhead(offset);
    if (!ahead && !queue.isShared(queue.now())) {
      return false;
    }
    if (files.isCached()) {
      return true;
    }
    try (FileInputStream data = files.data();
        FileInputStream checksums = files.checksums()) {
      if (readahead == null) {
        long end = data.getChannel().size();
        Ticket own = new Ticket(priority, ticket.weight(), stream);
        own.inForce = ticket.inForce;
        own.setOwner(owner);
        readahead = new TurnReadahead(queue, priority, own, offset, end);
        stream.readahead = readahead;
        queue.streams().setReadAhead(block, owner, stream);
      }
      if (!readahead.has(offset + bytes)) {
        files.waits();
      }
      return readahead.reach(offset, bytes, data.getFD(), checksums.getFD(), until);
    } catch (IOException e) {
      // The replica is not what the client has open; then it waits for a turn of its own.
      return false;
    }
  }

  /** What the client may read in this turn, in bytes. */
  public int bytes() {
    return bytes;
  }

  /** The priority at which the client should read; null for the normal priority. */
  public IoPriority priority() {
    return priority;
  }

  /** The client has read, or is gone. A second call does nothing. */
  public void leave() {
    if (counted) {
      counted = false;
      queue.realtimeReaders().ended();
    }
    if (ticket.isRealtime()) {
      queue.doneRealtime(ticket);
    } else if (!ticket.isOut()) {
      ticket.read(bytes);
      queue.done(ticket);
    }
    if (passed) {
      passed = false;
      // Not before: whoever asks beside a read that is held waits as well.
      queue.streams().put(block, offset + bytes, owner, stream, queue.now());
    }
  }
}
