// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoRole;
import org.hadoopprio.hdfs.datanode.engine.EngineRead;
import org.hadoopprio.hdfs.datanode.engine.EngineReads;
import org.hadoopprio.hdfs.datanode.scheduler.BlockRead;
import org.hadoopprio.hdfs.datanode.scheduler.ClientConnection;
import org.hadoopprio.hdfs.datanode.scheduler.DiskRequest;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;
import org.hadoopprio.hdfs.datanode.scheduler.Volume;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.RefusedReadException;

/**
 * A read of a block, or of its checksums: over the network, for a client's transfer, or for the
 * DataNode itself. Not thread-safe; used by its thread only.
 */
final class ReadRequest extends AdmittedRequest {

  private final String clientName;
  private final boolean tokenIsChecked;
  private final long offset;
  private final long length;
  private final boolean checksums;

  /** Where the client is. */
  private ClientConnection client = ClientConnection.UNKNOWN;

  /** Null before it is admitted. */
  private BlockRead what;

  /** The same as far as it concerns the engines; null if it does not. */
  private EngineRead engine;

  /**
   * A client's read, as its operation states it.
   *
   * @param checksums whether the client wants the checksums of the data, too
   * @param tokenIsChecked whether this DataNode checks the tokens of the block's pool
   */
  ReadRequest(
      Kind kind,
      Hint hint,
      String clientName,
      long offset,
      long length,
      boolean checksums,
      boolean tokenIsChecked) {
    super(kind, hint);
    this.clientName = clientName;
    this.offset = offset;
    this.length = length;
    this.checksums = checksums;
    this.tokenIsChecked = tokenIsChecked;
  }

  /** A read of a whole block for a client's transfer. */
  static ReadRequest ofTransfer(Hint hint, DataNodeRequest sender, ExtendedBlock block) {
    ReadRequest made = whole(Kind.TRANSFER, hint, sender.clientName(), block);
    made.setSender(sender);
    return made;
  }

  /** The DataNode's own read of a whole block. */
  static ReadRequest ofWork(IoRole role, ExtendedBlock block) {
    ReadRequest made = whole(Kind.WORK, Hint.NOTHING, "", block);
    made.setRole(role);
    return made;
  }

  private static ReadRequest whole(Kind kind, Hint hint, String clientName, ExtendedBlock block) {
    return new ReadRequest(kind, hint, clientName, 0, block.getNumBytes(), false, false);
  }

  /** That of the calling thread; null if it does not read, or if nobody has announced its read. */
  static ReadRequest current() {
    DiskRequest request = DiskRequest.ofThread();
    return request instanceof ReadRequest ? (ReadRequest) request : null;
  }

  void setClient(ClientConnection connection) {
    client = connection;
  }

  boolean isClientGone() {
    return client.isGone();
  }

  /** The read of the calling thread as far as it concerns the engines; null if it does not. */
  static EngineRead currentEngine() {
    ReadRequest read = current();
    return read == null ? null : read.engine;
  }

  /**
   * The client may read the block.
   *
   * @param token the block token, which has been checked if the DataNode checks those of its pool
   * @param peer the address of the client as DataXceiver prints it
   */
  void setChecked(Token<BlockTokenIdentifier> token, String peer) {
    setSender(new DataNodeRequest(clientName, tokenIsChecked ? token : null, peer));
  }

  /**
   * Decides about it, and has it pass the queue of its volume. May wait.
   *
   * @param opensNow whether the thread opens the block's files next; or else it takes turns from
   *     its first packet on
   * @throws RefusedReadException if it may be refused, and would miss its latency target
   */
  void start(DataNode dataNode, ExtendedBlock block, boolean opensNow) throws RefusedReadException {
    Configuration conf = dataNode.getConf();
    what = BlockRead.of(dataNode, block, offset, length, hint(), checksums);
    Volume volume = what.volume();
    if (!admit(DataNodePolicy.of(conf), volume, volume.mode())) {
      return;
    }
    switch (kind()) {
      case READ:
        engine = EngineReads.admitted(conf, priority(), hint());
        ScheduledReads.begin(what, priority(), client);
        break;
      case TRANSFER:
        engine = EngineReads.admitted(conf, priority(), hint());
        ScheduledReads.transferBegins(what, priority());
        break;
      case WORK:
        if (opensNow && priority() != null) {
          ScheduledReads.beginOwn(what, priority());
        }
        break;
      default:
        // Checksums.
        break;
    }
  }

  @Override
  protected Runnable observe(Volume volume) {
    return kind() == Kind.CHECKSUM ? super.observe(volume) : volume.observe(what, priority());
  }
}
