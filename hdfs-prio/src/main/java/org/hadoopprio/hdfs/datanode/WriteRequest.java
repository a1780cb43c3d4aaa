// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import java.io.FileDescriptor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.datanode.scheduler.DiskRequest;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledWrite;
import org.hadoopprio.hdfs.datanode.scheduler.Volume;
import org.hadoopprio.hdfs.datanode.scheduler.Volumes;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.role.WorkScope;

/**
 * A write of a block, or a transfer of one for a client's write, which a thread of a pool may do
 * (3.3.6 and newer) that has got it from the thread of the operation. Not thread-safe; used by one
 * thread at a time.
 */
final class WriteRequest extends AdmittedRequest {

  private final String clientName;
  private final boolean tokenIsChecked;

  /** What of the hint goes on to other DataNodes. */
  private final Hint sentOn;

  /** The priority that goes on to the next DataNode; null for none. */
  private PriorityScope onward;

  /** Brings the data to the disk; null if that is left to the kernel. */
  private ScheduledWrite scheduled;

  /** How long the replica was when the write began, in bytes. */
  private long from;

  /**
   * A write that nothing is decided about.
   *
   * @param clientName empty if the writer is a DataNode, or it is the DataNode's own work
   */
  private WriteRequest(Hint hint, Hint sentOn, String clientName, boolean tokenIsChecked) {
    super(clientName.isEmpty() ? Kind.WORK : Kind.WRITE, hint);
    this.sentOn = sentOn;
    this.clientName = clientName;
    this.tokenIsChecked = tokenIsChecked;
    if (clientName.isEmpty()) {
      boolean reconstructed = hint.role() == IoRole.EC_RECONSTRUCTION;
      setRole(reconstructed ? IoRole.EC_RECONSTRUCTION : IoRole.RE_REPLICATION);
    }
  }

  /** An operation's write. */
  static WriteRequest of(Configuration conf, String clientName, boolean tokenIsChecked) {
    Hint hint = DiskRequest.takeStated();
    Hint sentOn = ParsedPriority.onward(conf, hint);
    return new WriteRequest(hint, sentOn, clientName, tokenIsChecked);
  }

  /** The balancer moves a replica here. */
  static WriteRequest ofBalancer() {
    WriteRequest made = new WriteRequest(Hint.NOTHING, Hint.NOTHING, "", false);
    made.setRole(IoRole.BALANCER);
    return made;
  }

  /** That of the calling thread, also while it reads for it; null if it does not write. */
  static WriteRequest current() {
    DiskRequest request = DiskRequest.ofThread();
    while (request != null && !(request instanceof WriteRequest)) {
      request = request.around();
    }
    return (WriteRequest) request;
  }

  @Override
  protected boolean isAroundReads() {
    return true;
  }

  /** Whether it may be done: a DataNode's, or that of a client who has shown that it may. */
  private boolean isAllowed() {
    return sender() != null || clientName.isEmpty();
  }

  /** As {@link ReadRequest#setChecked}. */
  void setChecked(Token<BlockTokenIdentifier> token, String peer) {
    if (!clientName.isEmpty()) {
      setSender(new DataNodeRequest(clientName, tokenIsChecked ? token : null, peer));
    }
    onward = sentOn.openScope();
  }

  /** Opens a scope with what goes on to other DataNodes. */
  PriorityScope openScope() {
    return sentOn.openScope();
  }

  /** The thread is about to receive the block. */
  void receive(Configuration conf, Replica replica) {
    Volume volume = Volumes.of(conf, replica.getVolume());
    DataNodePolicy policy = DataNodePolicy.of(conf);
    from = replica.getNumBytes();
    if (isAllowed() && admit(policy, volume, volume.mode())) {
      // A DataNode that writes has its own time-outs, which are this one's, too.
      int patienceMillis = sender() == null ? 0 : hint().patienceMillis();
      scheduled =
          ScheduledWrite.of(
              volume, replica.getVolume(), this, patienceMillis, from, policy.writeBehind());
    }
  }

  /** What brings the data of the calling thread's write to the disk; null if the kernel does. */
  static ScheduledWrite currentScheduled() {
    WriteRequest write = current();
    return write == null ? null : write.scheduled;
  }

  /**
   * Data has been written to the block's file: what is written from now on is stock if that was
   * switched off. May wait until part of it is on the disk.
   */
  void written(FileDescriptor file, long end) {
    goOn();
    if (scheduled != null && isSwitchedOff()) {
      ScheduledWrite left = scheduled;
      scheduled = null;
      left.leaveToKernel();
    }
    if (scheduled != null && file != null) {
      scheduled.written(file, end);
    }
  }

  /** The thread has received the block, or failed to. */
  void received(Replica replica) {
    try {
      if (!isStated()) {
        moved(replica.getNumBytes() - from);
      }
    } finally {
      end();
    }
  }

  @Override
  protected void leaveDisk() {
    ScheduledWrite left = scheduled;
    scheduled = null;
    try {
      if (left != null) {
        left.finish();
      }
    } finally {
      WorkScope.close(onward);
      super.leaveDisk();
    }
  }
}
