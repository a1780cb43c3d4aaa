// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.io.FileDescriptor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledWrite;
import org.hadoopprio.hdfs.datanode.scheduler.Volume;
import org.hadoopprio.hdfs.datanode.scheduler.Volumes;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.log.HopTrace;
import org.hadoopprio.log.Printable;
import org.hadoopprio.policy.Admission;
import org.hadoopprio.role.WorkScope;

/**
 * The delegate of the hooks on a DataNode's writes: sends the priority of a write on to the next
 * DataNode of the pipeline as it came, and writes at the priority that is granted here.
 * Thread-safe. The hooks call it in this order, on the thread of one DataXceiver:
 *
 * <p>{@link #writeBegins} and {@link #finishWrite} around {@code DataXceiver.writeBlock}; between
 * them {@link #accessChecked} when Hadoop has found the block token good, {@link #receiveBegins}
 * and {@link #receiveEnds} around {@code BlockReceiver.receiveBlock}, between these {@link
 * #written} after packets, {@link #syncBegins}, {@link #checksumsSync} and {@link #syncEnds} around
 * syncs.
 *
 * <p>When a client has a replica sent to a new DataNode of its pipeline, {@code
 * DataXceiver.transferBlock} begins and ends like a write; between, {@link #transferMade}, then on
 * any thread {@link #transferReads} and {@link #transferRuns} when it is sent.
 *
 * <p>The PacketResponder is a thread that receiveBlock starts, and a thread inherits the priority
 * of the one that starts it (kernel, block/blk-ioc.c, {@code __copy_io}).
 */
public final class DataNodeWrites {

  /** What the client of each transfer has asked for, if anything, and who it is. */
  private static final WeakConcurrentMap<Object, Transfer> TRANSFERS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private DataNodeWrites() {}

  /** A replica that is sent to another DataNode for a client. */
  private static final class Transfer {

    final Hint hint;
    final Hint sentOn;
    final DataNodeRequest request;

    Transfer(Write write) {
      this.hint = write.hint;
      this.sentOn = write.sentOn;
      this.request = write.request;
    }
  }

  /** A write that a thread is serving. */
  static final class Write {

    /** Whether {@link #finishWrite} will follow. */
    final boolean isOperation;

    final Hint hint;

    /** Empty if the writer is a DataNode. */
    final String clientName;

    final boolean tokenIsChecked;

    /** What of the hint goes on to other DataNodes. */
    final Hint sentOn;

    /** Null until the client has shown that it may write the block. */
    DataNodeRequest request;

    /** The priority that goes on to the next DataNode; null for none. */
    PriorityScope onward;

    /** Null until the block is received. */
    ServedRequest served;

    /** Brings the data to the disk; null if that is left to the kernel. */
    ScheduledWrite scheduled;

    /** Of the replica; null until the block is received. */
    Volume volume;

    /** That of the volume when the write began. */
    VolumeMode mode;

    /** How long the replica was when the write began, in bytes. */
    long from;

    Write(boolean isOperation, Hint hint, Hint sentOn, String clientName, boolean tokenIsChecked) {
      this.isOperation = isOperation;
      this.hint = hint;
      this.sentOn = sentOn;
      this.clientName = clientName;
      this.tokenIsChecked = tokenIsChecked;
    }

    void setVolume(Volume ofReplica, VolumeMode inForce) {
      volume = ofReplica;
      mode = inForce;
    }

    void receive(IoRole role, DataNodePolicy policy, Replica replica) {
      IoPriority priority = policy.priorityOf(role);
      served = ServedRequest.of(role, priority);
      // A DataNode that writes has its own time-outs, which are this one's, too.
      begin(priority, 0, policy, replica);
    }

    void receive(DataNodePolicy policy, Replica replica) {
      IoPriority asked = hint.priority();
      IoRole role = request.role(hint.role(), IoRole.CLIENT_WRITE);
      if (mode.isStock()) {
        request.setObserved();
      }
      Admission admission = policy.admit(asked, request, false);
      IoPriority granted = admission == null ? null : admission.priority();
      // First of all, so that whatever fails from here on gives the place back at the end.
      served =
          admission == null ? ServedRequest.of(role, null) : ServedRequest.write(role, admission);
      if (HopTrace.isOn()) {
        HopTrace.hop(
            "datanode-write",
            granted,
            "asked="
                + (asked == null ? "nothing" : asked)
                + " role="
                + role
                + " client="
                + Printable.of(clientName));
      }
      begin(granted, hint.patienceMillis(), policy, replica);
    }

    /** The next packet has come: what is written from now on is stock if that was switched off. */
    void goOn() {
      if (served != null) {
        served.goOn();
      }
      if (scheduled != null && volume.mode().isStock()) {
        ScheduledWrite left = scheduled;
        scheduled = null;
        left.leaveToKernel();
      }
    }

    private void begin(
        IoPriority granted, int patienceMillis, DataNodePolicy policy, Replica replica) {
      from = replica.getNumBytes();
      if (mode.isStock()) {
        return;
      }
      served.applyPriority(volume);
      scheduled =
          ScheduledWrite.of(
              volume, replica.getVolume(), granted, patienceMillis, from, policy.writeBehind());
    }
  }

  /**
   * The calling thread begins a write. Nothing is decided yet, because anybody can write what it
   * was given; {@link #finishWrite} must follow.
   *
   * @param conf the DataNode's
   * @param clientName empty if the writer is a DataNode
   * @param tokenIsChecked whether this DataNode checks the tokens of the block's pool
   */
  public static void writeBegins(Configuration conf, String clientName, boolean tokenIsChecked) {
    RequestContext context = RequestContext.ofThread();
    Hint hint = context.takeStated();
    Hint sentOn = ParsedPriority.onward(conf, hint);
    context.write = new Write(true, hint, sentOn, clientName, tokenIsChecked);
  }

  /**
   * The client may write the block. Does nothing for other operations.
   *
   * @param token the block token, which has been checked if the DataNode checks those of its pool
   * @param peer the address of the client as DataXceiver prints it, {@code /host:port}
   */
  public static void accessChecked(Token<BlockTokenIdentifier> token, String peer) {
    Write write = RequestContext.ofThread().write;
    if (write != null) {
      write.request =
          new DataNodeRequest(write.clientName, write.tokenIsChecked ? token : null, peer);
      write.onward = write.sentOn.openScope();
    }
  }

  /**
   * The calling thread is about to receive a block: decides about its write, and applies the
   * priority that it is granted to the thread. A block that no client writes comes from another
   * DataNode, in {@code DataXceiver.writeBlock}, or is moved by the balancer.
   */
  public static void receiveBegins(DataNode dataNode, Replica replica) {
    Configuration conf = dataNode.getConf();
    Volume volume = Volumes.of(conf, replica.getVolume());
    VolumeMode mode = volume.mode();
    if (mode == VolumeMode.OFF) {
      return;
    }
    DataNodePolicy policy = DataNodePolicy.of(conf);
    RequestContext context = RequestContext.ofThread();
    Write write = context.write;
    if (write == null) {
      write = new Write(false, Hint.NOTHING, Hint.NOTHING, "", false);
      context.write = write;
      write.setVolume(volume, mode);
      write.receive(IoRole.BALANCER, policy, replica);
      return;
    }
    write.setVolume(volume, mode);
    if (write.clientName.isEmpty()) {
      boolean reconstructed = write.hint.role() == IoRole.EC_RECONSTRUCTION;
      IoRole role = reconstructed ? IoRole.EC_RECONSTRUCTION : IoRole.RE_REPLICATION;
      write.receive(role, policy, replica);
    } else if (write.request != null) {
      write.receive(policy, replica);
    }
  }

  /**
   * The calling thread has written data of a block to its file, and so to the page cache. May wait
   * until part of it is on the disk.
   *
   * @param file the block's; null if it has none
   * @param end where the data ends in the block, in bytes
   */
  public static void written(FileDescriptor file, long end) {
    Write write = RequestContext.ofThread().write;
    if (write != null) {
      write.goOn();
    }
    if (write != null && write.scheduled != null && file != null) {
      write.scheduled.written(file, end);
    }
  }

  /**
   * The calling thread is about to sync the files of a block, for a client that waits; may have to
   * wait. {@link #syncEnds} must follow.
   *
   * @param file the block's; null if it has none
   */
  public static void syncBegins(FileDescriptor file) {
    Write write = RequestContext.ofThread().write;
    if (write != null && write.scheduled != null && file != null) {
      write.scheduled.syncBegins(file);
    }
  }

  /**
   * The checksums of a block are in their file, which is synced before that of the data.
   *
   * @param checksums the file
   */
  public static void checksumsSync(FileDescriptor checksums) {
    Write write = RequestContext.ofThread().write;
    if (write != null && write.scheduled != null) {
      write.scheduled.writeTogether(checksums);
    }
  }

  /** The calling thread has synced the files, or failed to. */
  public static void syncEnds() {
    Write write = RequestContext.ofThread().write;
    if (write != null && write.scheduled != null) {
      write.scheduled.syncEnds();
    }
  }

  /** The calling thread has received a block, or failed to; restores its priority. */
  public static void receiveEnds(Replica replica) {
    RequestContext context = RequestContext.ofThread();
    Write write = context.write;
    if (write == null) {
      return;
    }
    if (!write.isOperation) {
      context.write = null;
    }
    ScheduledWrite scheduled = write.scheduled;
    ServedRequest served = write.served;
    write.scheduled = null;
    write.served = null;
    try {
      if (scheduled != null) {
        scheduled.finish();
      }
    } finally {
      if (served != null) {
        finish(served, replica, write.from);
      }
    }
  }

  private static void finish(ServedRequest served, Replica replica, long from) {
    try {
      served.moved(replica.getNumBytes() - from);
    } finally {
      served.finish();
    }
  }

  /**
   * The calling thread has made a transfer, between {@link #writeBegins} and {@link #finishWrite}
   * if a client wants it. The policy decides about that read as about any, asked for or not.
   */
  public static void transferMade(Object transfer) {
    Write write = RequestContext.ofThread().write;
    // Without a name it is the DataNode's own work to Hadoop, and to module work.
    if (write != null && write.request != null && !write.request.clientName().isEmpty()) {
      TRANSFERS.put(transfer, new Transfer(write));
    }
  }

  /**
   * The calling thread sends the replica.
   *
   * @return the value to pass to {@link WorkScope#close} when it has sent it, or failed to
   */
  public static PriorityScope transferRuns(Object transfer) {
    Transfer found = TRANSFERS.getIfPresent(transfer);
    return found == null ? null : found.sentOn.openScope();
  }

  /**
   * The calling thread is about to read the replica that it sends for a client. {@link
   * DataNodeReads#finishRead} must follow.
   */
  public static void transferReads(Object transfer, DataNode dataNode, ExtendedBlock block) {
    Transfer found = TRANSFERS.getIfPresent(transfer);
    if (found != null) {
      DataNodeReads.transferBegins(found.hint, found.request, dataNode, block);
    }
  }

  /** The calling thread has ended its write, successful or not. */
  public static void finishWrite() {
    RequestContext context = RequestContext.ofThread();
    Write write = context.write;
    context.write = null;
    if (write != null) {
      WorkScope.close(write.onward);
    }
  }
}
