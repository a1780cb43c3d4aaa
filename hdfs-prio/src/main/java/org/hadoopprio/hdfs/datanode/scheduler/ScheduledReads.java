// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeReference;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.IoPriority;
import org.hadoopprio.disktime.DiskClass;
import org.hadoopprio.disktime.Owner;
import org.hadoopprio.disktime.Stream;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PageCache;
import org.hadoopprio.linux.ThreadIoPriority;

/**
 * The delegate of the hooks that make a DataNode's reads pass the queue of their volume.
 * Thread-safe. The hooks call it in this order:
 *
 * <p>{@link #begin} when {@code DataXceiver.readBlock} has checked the block token, by way of the
 * {@link DiskRequest}, which also ends it; between, on the same thread, {@link #packet} and {@link
 * #packetDone} around each packet, {@link #suspend} and {@link #resume} around each wait for
 * something other than the disk, or {@link #leave} before the last one of a packet. The block
 * scanner and copies to other DataNodes send packets without a readBlock around them.
 */
public final class ScheduledReads {

  private ScheduledReads() {}

  /**
   * The calling thread is about to serve a read; a real-time read may have to wait here. If this
   * fails, the read leaves nothing in the queue, and does not wait.
   *
   * @param priority what the read was granted; null for none
   * @param client for whom it is; if it {@linkplain ClientConnection#isGone is gone} after this,
   *     the read must not go on
   * @throws RefusedReadException if the read may be refused, and would miss its latency target; it
   *     leaves nothing in the queue
   */
  public static void begin(BlockRead what, IoPriority priority, ClientConnection client)
      throws RefusedReadException {
    finish();
    ScheduledRead read = make(what, priority);
    if (read != null) {
      read.setClient(client);
      begin(read);
    }
  }

  private static void begin(ScheduledRead read) throws RefusedReadException {
    set(read);
    try {
      read.begin();
    } catch (RefusedReadException | RuntimeException | Error e) {
      finish();
      throw e;
    }
  }

  /** The same for a read of the DataNode itself, which has no latency target. */
  public static void beginOwn(BlockRead what, IoPriority priority) {
    finish();
    ScheduledRead read = make(what, priority);
    if (read != null) {
      beginOwn(read);
    }
  }

  private static void beginOwn(ScheduledRead read) {
    try {
      begin(read);
    } catch (RefusedReadException e) {
      throw new IllegalStateException("a read without a client must not be refused", e);
    }
  }

  /**
   * The calling thread is about to send a replica for a client to another DataNode, to which it
   * connects first. The read takes turns from its first packet on. Where that takes a third of the
   * client's time, and it is not real-time, it goes on as one whose client has no time left.
   */
  public static void transferBegins(BlockRead what, IoPriority priority) {
    finish();
    // The client's patience counts for all packets together.
    ScheduledRead read = make(what.with(Hint.NOTHING), priority);
    if (read != null) {
      read.setWithoutReadBlock();
      read.setHurry(what.volume().settings().transferNanos(what));
      set(read);
    }
  }

  /** A read of a volume; null if its reads do not wait for turns. */
  static ScheduledRead make(BlockRead what, IoPriority priority) {
    return make(what, priority, DiskRequest.ownerOfThread(priority));
  }

  /** The same for another request than the calling thread's. */
  static ScheduledRead make(BlockRead what, IoPriority priority, Owner owner) {
    Volume volume = what.volume();
    VolumeQueue queue = volume.queue();
    if (queue == null) {
      return null;
    }
    Stream stream =
        owner.diskClass() == DiskClass.REALTIME
            ? null
            : queue.streams().of(what.block(), what.offset(), what.length(), owner, queue.now());
    ScheduledRead read = ScheduledRead.of(queue, volume.settings(), priority, stream);
    read.setInForce(volume::isInForce);
    read.setTarget(priority, what);
    read.ticket.setOwner(owner);
    return read;
  }

  /** The read that the calling thread is doing; null if it does not take turns. */
  private static ScheduledRead current() {
    DiskRequest request = DiskRequest.ofThread();
    return request == null ? null : request.read;
  }

  private static void set(ScheduledRead read) {
    DiskRequest.ofReader().read = read;
  }

  /** The calling thread has served its read, or has failed to. */
  public static void finish() {
    DiskRequest request = DiskRequest.ofThread();
    if (request != null) {
      request.finishRead();
    }
  }

  /** The calling thread has opened the checksums of the replica that it reads. */
  public static void checksumsOpened(LengthInputStream checksums) throws IOException {
    ScheduledRead read = current();
    if (read != null && checksums != null) {
      InputStream in = checksums.getWrappedStream();
      if (in instanceof FileInputStream) {
        read.setChecksums(((FileInputStream) in).getFD());
      }
    }
  }

  /**
   * The calling thread is about to read a packet, and may have to wait here. A read of a volume
   * whose reads do not take turns any more goes on without, to its end.
   *
   * @param number of the packet in its read, from 0
   * @param offset of the packet in the block, in bytes
   * @param end of the read in the block, in bytes; a packet at this offset carries no data
   * @return the value to pass to {@link #packetDone}; Object because the hooked class, which keeps
   *     it in a local variable, has no access to ScheduledRead; or an IOException to be thrown in
   *     place of the packet: its client is gone
   */
  public static Object packet(
      DataNode dataNode,
      ExtendedBlock block,
      ReplicaInputStreams replica,
      long number,
      long offset,
      long end) {
    ScheduledRead read = current();
    if (read != null && !read.isInForce()) {
      read.leaveToKernel(new ReplicaData(replica).file());
      finish();
      read = null;
    }
    if (number == 0 && offset < end && (read == null || read.isWithoutReadBlock())) {
      read = withoutReadBlock(dataNode.getConf(), block, replica, offset, end);
    }
    if (read == null) {
      return null;
    }
    if (offset >= end) {
      // The packet that ends a read; the client's answer is not waited for at the disk.
      finish();
      return null;
    }
    read.packet(offset, end, new ReplicaData(replica));
    return read.isClientGone() ? new ClientGoneException() : read;
  }

  /** A read by the block scanner, or one to another DataNode; a client's transfer waits for it. */
  private static ScheduledRead withoutReadBlock(
      Configuration conf, ExtendedBlock block, ReplicaInputStreams replica, long offset, long end) {
    ScheduledRead read = current();
    if (read == null || read.isBegun()) {
      finish();
      FsVolumeReference reference = replica.getVolumeRef();
      FsVolumeSpi volume = reference == null ? null : reference.getVolume();
      BlockRead what =
          new BlockRead(Volumes.of(conf, volume), block.getBlockId(), offset, end - offset);
      read = make(what, ThreadIoPriority.applied());
    }
    if (read != null) {
      read.setWithoutReadBlock();
      beginOwn(read);
    }
    return read;
  }

  /** The data of a replica that is being read. */
  private static final class ReplicaData implements CachedData {
    private final ReplicaInputStreams replica;

    ReplicaData(ReplicaInputStreams replica) {
      this.replica = replica;
    }

    @Override
    public boolean isCached(long offset, long length) {
      FileDescriptor file = file();
      return file != null && PageCache.isResident(DescriptorNumber.of(file), offset, length);
    }

    @Override
    public FileDescriptor file() {
      return replica.getDataInFd();
    }
  }

  /** The calling thread has read and sent its packet, or has failed to. */
  public static void packetDone(Object packet, long offset, int bytes) {
    if (packet != null) {
      ((ScheduledRead) packet).packetDone(offset, bytes);
    }
  }

  /**
   * The calling thread is about to wait for its client.
   *
   * @return the value to pass to {@link #resume}; Object as in {@link #packet}
   */
  public static Object suspend() {
    ScheduledRead read = current();
    if (read == null || !read.isGoingOn()) {
      return null;
    }
    read.suspend();
    return read;
  }

  /**
   * The calling thread has used the disk for its packet, and is about to wait for something else.
   * It asks again with the next packet; this never waits.
   */
  public static void leave() {
    ScheduledRead read = current();
    if (read != null && read.isGoingOn()) {
      read.leave();
    }
  }

  /** The wait is over. */
  public static void resume(Object suspended) {
    if (suspended != null) {
      ((ScheduledRead) suspended).resume();
    }
  }

  /**
   * How much HDFS's pool may read ahead for the calling thread: nothing while others use the disk,
   * because it would read outside of the thread's turn, and {@link TurnReadahead} reads ahead.
   *
   * @param asked in bytes
   */
  public static long readaheadBytes(long asked) {
    ScheduledRead read = current();
    return read == null ? asked : read.readaheadBytes(asked);
  }
}
