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
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledWrite;
import org.hadoopprio.role.WorkScope;

/**
 * The delegate of the hooks on a DataNode's writes: sends the priority of a write on to the next
 * DataNode of the pipeline as it came, and writes at the priority that is granted here.
 * Thread-safe. The hooks call it in this order, on the thread of one DataXceiver:
 *
 * <p>{@link #writeBegins} and {@link #finishWrite} around {@code DataXceiver.writeBlock}; between
 * them {@link #accessChecked} when Hadoop has found the block token good, {@link #receiveBegins}
 * and {@link #receiveEnds} around {@code BlockReceiver.receiveBlock}, between these {@link
 * #receivesInto}, {@link #written} after packets, {@link #checksumsSync}, {@link #syncBegins} and
 * {@link #syncEnds} around syncs, these on any thread.
 *
 * <p>When a client has a replica sent to a new DataNode of its pipeline, {@code
 * DataXceiver.transferBlock} begins and ends like a write; between, {@link #transferMade}, then on
 * any thread {@link #transferReads} and {@link #transferRuns} when it is sent.
 *
 * <p>The PacketResponder is a thread that receiveBlock starts, and a thread inherits the priority
 * of the one that starts it (kernel, block/blk-ioc.c, {@code __copy_io}).
 */
public final class DataNodeWrites {

  /** For which client's write each transfer is. */
  private static final WeakConcurrentMap<Object, WriteRequest> TRANSFERS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  /**
   * What brings to the disk what is written to a block, by its streams and by the block itself:
   * these objects, whatever they are equal to. HDFS changes the block's length meanwhile.
   */
  private static final WeakConcurrentMap<Object, ScheduledWrite> RECEIVING =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private DataNodeWrites() {}

  /**
   * The calling thread begins a write. Nothing is decided yet, because anybody can write what it
   * was given; {@link #finishWrite} must follow.
   *
   * @param conf the DataNode's
   * @param clientName empty if the writer is a DataNode
   * @param tokenIsChecked whether this DataNode checks the tokens of the block's pool
   */
  public static void writeBegins(Configuration conf, String clientName, boolean tokenIsChecked) {
    WriteRequest.of(conf, clientName, tokenIsChecked).begin();
  }

  /**
   * The client may write the block. Does nothing for other operations.
   *
   * @param token the block token, which has been checked if the DataNode checks those of its pool
   * @param peer the address of the client as DataXceiver prints it, {@code /host:port}
   */
  public static void accessChecked(Token<BlockTokenIdentifier> token, String peer) {
    WriteRequest write = WriteRequest.current();
    if (write != null) {
      write.setChecked(token, peer);
    }
  }

  /**
   * The calling thread is about to receive a block: decides about its write, and applies the
   * priority that it is granted to the thread. A block that no client writes comes from another
   * DataNode, in {@code DataXceiver.writeBlock}, or is moved by the balancer.
   */
  public static void receiveBegins(DataNode dataNode, Replica replica) {
    WriteRequest write = WriteRequest.current();
    if (write == null) {
      write = WriteRequest.ofBalancer();
      write.begin();
    }
    write.receive(dataNode.getConf(), replica);
  }

  /**
   * The calling thread has written data of a block to its file, and so to the page cache. May wait
   * until part of it is on the disk.
   *
   * @param file the block's; null if it has none
   * @param end where the data ends in the block, in bytes
   */
  public static void written(FileDescriptor file, long end) {
    WriteRequest write = WriteRequest.current();
    if (write != null) {
      write.written(file, end);
    }
  }

  /**
   * The calling thread receives a block into these streams. Another one may sync them at the end of
   * the block, while this one waits for it.
   */
  public static void receivesInto(Object streams, Object block) {
    ScheduledWrite write = WriteRequest.currentScheduled();
    if (write != null) {
      RECEIVING.put(streams, write);
      RECEIVING.put(block, write);
    }
  }

  /**
   * The calling thread is about to sync the checksums of a block, for somebody who waits; may have
   * to wait. {@link #syncBegins} follows for the data, if that has not failed.
   *
   * @param file the block's; null if it has none
   * @param checksums their file
   */
  public static void checksumsSync(Object streams, FileDescriptor file, FileDescriptor checksums) {
    ScheduledWrite write = RECEIVING.getIfPresent(streams);
    if (write != null && file != null) {
      write.syncBegins(file);
      write.writeTogether(checksums);
    }
  }

  /**
   * The calling thread is about to sync the data of a block; may have to wait. {@link #syncEnds}
   * follows, or the end of the write.
   *
   * @param file the block's; null if it has none
   */
  public static void syncBegins(Object streams, FileDescriptor file) {
    ScheduledWrite write = RECEIVING.getIfPresent(streams);
    if (write != null && file != null) {
      write.syncBegins(file);
    }
  }

  /**
   * The calling thread has synced the files of a block, and the directories of those that are new
   * or have moved, or failed to. What does not come here is over when the write is.
   *
   * @param block the streams, or the block, that {@link #receivesInto} was told
   */
  public static void syncEnds(Object block) {
    ScheduledWrite write = RECEIVING.getIfPresent(block);
    if (write != null) {
      write.syncEnds();
    }
  }

  /** The calling thread has received a block, or failed to; restores its priority. */
  public static void receiveEnds(Replica replica) {
    WriteRequest write = WriteRequest.current();
    if (write != null) {
      write.received(replica);
    }
  }

  /**
   * The calling thread has made a transfer, between {@link #writeBegins} and {@link #finishWrite}
   * if a client wants it. The policy decides about that read as about any, asked for or not.
   */
  public static void transferMade(Object transfer) {
    WriteRequest write = WriteRequest.current();
    // Without a name it is the DataNode's own work to Hadoop, and to module work.
    if (write != null && write.sender() != null) {
      TRANSFERS.put(transfer, write);
    }
  }

  /**
   * The calling thread sends the replica.
   *
   * @return the value to pass to {@link WorkScope#close} when it has sent it, or failed to
   */
  public static PriorityScope transferRuns(Object transfer) {
    WriteRequest found = TRANSFERS.getIfPresent(transfer);
    return found == null ? null : found.openScope();
  }

  /**
   * The calling thread is about to read the replica that it sends for a client. {@link
   * DataNodeReads#finishRead} must follow.
   */
  public static void transferReads(Object transfer, DataNode dataNode, ExtendedBlock block) {
    WriteRequest found = TRANSFERS.getIfPresent(transfer);
    if (found != null) {
      DataNodeReads.transferBegins(found.hint(), found.sender(), dataNode, block);
    }
  }

  /** The calling thread has ended its write, successful or not. */
  public static void finishWrite() {
    WriteRequest write = WriteRequest.current();
    if (write != null) {
      write.end();
    }
  }
}
