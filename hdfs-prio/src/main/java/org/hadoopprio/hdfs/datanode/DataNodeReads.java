// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.datanode.AdmittedRequest.Kind;
import org.hadoopprio.hdfs.datanode.engine.EngineRead;
import org.hadoopprio.hdfs.datanode.engine.EngineReads;
import org.hadoopprio.hdfs.datanode.scheduler.ClientConnection;
import org.hadoopprio.hdfs.datanode.scheduler.ClientGoneException;
import org.hadoopprio.hdfs.datanode.scheduler.DiskRequest;
import org.hadoopprio.hdfs.datanode.scheduler.Volumes;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.RefusedAnswer;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.metrics.PriorityMetricsSource;
import org.hadoopprio.role.WorkScope;

/**
 * The delegate of the hooks on a DataNode's reads: applies the priority of a read. Thread-safe. The
 * hooks call it in this order:
 *
 * <p>{@link #dataNodeStarting} once, {@link #readBegins} (or {@link #checksumBegins}) and {@link
 * #finishRead} around {@code DataXceiver.readBlock} (or {@code .blockChecksum}) on the thread that
 * has parsed the operation ({@link ParsedPriority}), between them {@link #accessChecked} when
 * Hadoop has found the block token good, {@link #checksums}, {@link #answering} and {@link
 * #streams} as the BlockSender gets ready, {@link #readaheadMade} and {@link #readaheadRuns} for
 * requests of that read to the readahead pool.
 */
public final class DataNodeReads {

  private static final WeakConcurrentMap<Object, IoPriority> READAHEADS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private DataNodeReads() {}

  /** A DataNode is about to serve; reads its policy and registers the metrics. */
  public static void dataNodeStarting(DataNode dataNode) {
    DataNodeWork.dataNodeStarting(DataNodePolicy.of(dataNode.getConf()));
    Volumes.dataNodeStarting(dataNode);
    PriorityMetricsSource.register();
  }

  /**
   * The calling thread begins a read. Nothing is decided yet, because anybody can write what it was
   * given; {@link #finishRead} must follow.
   *
   * @param offset where the read begins in the block, in bytes
   * @param length of the read, in bytes
   * @param checksums whether the client wants the checksums of the data, too
   * @param tokenIsChecked whether this DataNode checks the tokens of the block's pool
   */
  public static void readBegins(
      String clientName, long offset, long length, boolean checksums, boolean tokenIsChecked) {
    Hint hint = DiskRequest.takeStated();
    new ReadRequest(Kind.READ, hint, clientName, offset, length, checksums, tokenIsChecked).begin();
  }

  /** The read that the calling thread has begun comes by that connection. */
  public static void readComesBy(Peer peer) {
    ReadRequest.current().setClient(ClientConnection.of(peer));
  }

  /**
   * The calling thread begins to compute the checksum of a block from the checksums of its parts.
   * Nothing is decided yet; {@link #finishRead} must follow. The operation does not tell the name
   * of the client.
   *
   * @param tokenIsChecked as in {@link #readBegins}
   */
  public static void checksumBegins(boolean tokenIsChecked) {
    Hint hint = DiskRequest.takeStated();
    new ReadRequest(Kind.CHECKSUM, hint, "", 0, 0, false, tokenIsChecked).begin();
  }

  /**
   * The calling thread begins to ask other DataNodes for the checksums of the blocks of a group,
   * with the priority that the client has stated. Each of them decides what it grants.
   *
   * @return the value to pass to {@link WorkScope#close} at the end
   */
  public static PriorityScope groupChecksumBegins(Configuration conf) {
    return ParsedPriority.onward(conf, DiskRequest.takeStated()).openScope();
  }

  /**
   * The client may read the block: decides about the read that the calling thread has begun, and
   * applies the priority that it is granted to the thread. A read may have to wait here. Does
   * nothing for other operations.
   *
   * <p>A read that would miss its latency target, and may be refused for that, is not to be done.
   *
   * @param token the block token, which has been checked if the DataNode checks those of its pool
   * @param peer the address of the client as DataXceiver prints it, {@code /host:port}
   * @return null, or why the read is not to be done, for {@link #readEnded}: it is refused, or the
   *     client is gone
   */
  public static IOException accessChecked(
      DataNode dataNode, ExtendedBlock block, Token<BlockTokenIdentifier> token, String peer) {
    ReadRequest read = ReadRequest.current();
    if (read == null || !read.isStated()) {
      return null;
    }
    read.setChecked(token, peer);
    try {
      start(read, dataNode, block, true);
      return read.isClientGone() ? new ClientGoneException() : null;
    } catch (RefusedReadException e) {
      return e;
    }
  }

  /**
   * The read has ended. If it was refused, tells the client. If the client has closed its
   * connection, so does this, as DataXceiver when it finds that itself.
   *
   * @param failure why it was not done; null if it was
   * @param out of the client's connection
   * @return what is a failure to DataXceiver, too; null for nothing
   */
  public static Throwable readEnded(Throwable failure, OutputStream out) {
    if (failure instanceof RefusedReadException) {
      return refuse((RefusedReadException) failure, out);
    }
    if (failure instanceof ClientGoneException) {
      IOUtils.closeStream(out);
      return null;
    }
    return failure;
  }

  private static IOException refuse(RefusedReadException reason, OutputStream out) {
    ReadRequest read = ReadRequest.current();
    if (read != null) {
      read.refuse();
    }
    PriorityMetrics.REFUSED.increment();
    try {
      RefusedAnswer.send(reason.getMessage(), out);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  /**
   * The calling thread is about to read a replica for a client whose write goes on with another
   * DataNode; {@link #finishRead} must follow.
   */
  static void transferBegins(
      Hint hint, DataNodeRequest sender, DataNode dataNode, ExtendedBlock block) {
    ReadRequest read = ReadRequest.ofTransfer(hint, sender, block);
    read.begin();
    startUnrefused(read, dataNode, block, false);
  }

  private static void start(
      ReadRequest read, DataNode dataNode, ExtendedBlock block, boolean opensNow)
      throws RefusedReadException {
    try {
      read.start(dataNode, block, opensNow);
    } catch (RuntimeException | Error e) {
      // The hook counts and logs it, and the read goes on; own work at its priority.
      if (read.kind() != Kind.WORK) {
        read.giveUp();
      }
      throw e;
    }
  }

  private static void startUnrefused(
      ReadRequest read, DataNode dataNode, ExtendedBlock block, boolean opensNow) {
    try {
      start(read, dataNode, block, opensNow);
    } catch (RefusedReadException e) {
      throw new IllegalStateException("a read without a client must not be refused", e);
    }
  }

  /**
   * The calling thread is about to read a block for the DataNode itself; {@link #finishRead} must
   * follow.
   */
  public static void workBegins(IoRole role, DataNode dataNode, ExtendedBlock block) {
    workBegins(role, dataNode, block, true);
  }

  /**
   * The same for a replica that the thread sends to another DataNode, to which it connects first:
   * the read takes turns from its first packet on.
   */
  public static void sendBegins(IoRole role, DataNode dataNode, ExtendedBlock block) {
    workBegins(role, dataNode, block, false);
  }

  private static void workBegins(
      IoRole role, DataNode dataNode, ExtendedBlock block, boolean opensNow) {
    if (!DataNodeWork.isOff()) {
      ReadRequest read = ReadRequest.ofWork(role, block);
      read.begin();
      startUnrefused(read, dataNode, block, opensNow);
    }
  }

  /** Counts bytes of block data that the calling thread has sent. */
  public static void sent(long bytes) {
    ReadRequest read = ReadRequest.current();
    if (read != null) {
      read.moved(bytes);
      read.goOn();
    }
  }

  /** The calling thread has ended its read, successful or not; restores its priority. */
  public static void finishRead() {
    DiskRequest request = DiskRequest.ofThread();
    if (!(request == null || request instanceof WriteRequest)) {
      request.end();
    }
  }

  /**
   * The calling thread is about to answer its client that the read begins.
   *
   * @return as {@link EngineReads#answering}
   */
  public static ReplicaInputStreams answering(
      Replica replica, ReplicaInputStreams stock, FileIoProvider provider, long offset, long end) {
    EngineRead read = ReadRequest.currentEngine();
    return read == null
        ? stock
        : EngineReads.answering(read, replica, stock, provider, offset, end);
  }

  /**
   * The calling thread is about to send the block.
   *
   * @return as {@link EngineReads#streams}
   */
  public static ReplicaInputStreams streams(
      Replica replica, ReplicaInputStreams stock, FileIoProvider provider, long offset, long end)
      throws IOException {
    EngineRead read = ReadRequest.currentEngine();
    return read == null ? stock : EngineReads.streams(read, replica, stock, provider, offset, end);
  }

  /**
   * The calling thread has opened the checksums of a replica.
   *
   * @return as {@link EngineReads#checksums}
   */
  public static LengthInputStream checksums(
      ReplicaState state, FsVolumeSpi volume, LengthInputStream stock) throws IOException {
    EngineRead read = ReadRequest.currentEngine();
    return read == null ? stock : EngineReads.checksums(read, state, volume, stock);
  }

  /** Records the priority of the calling thread for its request to the readahead pool. */
  public static void readaheadMade(Object request) {
    IoPriority applied = ThreadIoPriority.applied();
    if (applied != null) {
      READAHEADS.put(request, applied);
    }
  }

  /** Applies the recorded priority to the calling thread of the readahead pool. */
  public static void readaheadRuns(Object request) {
    ThreadIoPriority.settle(READAHEADS.remove(request));
  }
}
