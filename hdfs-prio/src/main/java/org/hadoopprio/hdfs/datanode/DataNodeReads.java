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
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.datanode.engine.EngineRead;
import org.hadoopprio.hdfs.datanode.engine.EngineReads;
import org.hadoopprio.hdfs.datanode.scheduler.BlockRead;
import org.hadoopprio.hdfs.datanode.scheduler.ClientConnection;
import org.hadoopprio.hdfs.datanode.scheduler.ClientGoneException;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;
import org.hadoopprio.hdfs.datanode.scheduler.Volumes;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.RefusedAnswer;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.HopTrace;
import org.hadoopprio.log.Printable;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.metrics.PriorityMetricsSource;
import org.hadoopprio.policy.Admission;
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

  /** What a client has written. */
  static final class UncheckedRead {

    final Hint hint;

    /** Or else of the block's checksums only. */
    final boolean ofData;

    final String clientName;
    final long offset;
    final long length;
    final boolean tokenIsChecked;

    /** Whether the client wants the checksums of the data, too. */
    boolean checksums;

    /** Where the client is. */
    ClientConnection client = ClientConnection.UNKNOWN;

    /** Whether data is read as soon as that is granted; or else it takes turns by packets only. */
    boolean opensNow;

    UncheckedRead(
        Hint hint,
        boolean ofData,
        String clientName,
        long offset,
        long length,
        boolean tokenIsChecked) {
      this.hint = hint;
      this.ofData = ofData;
      this.clientName = clientName;
      this.offset = offset;
      this.length = length;
      this.tokenIsChecked = tokenIsChecked;
      this.opensNow = ofData;
    }
  }

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
    RequestContext context = RequestContext.ofThread();
    Hint hint = context.takeStated();
    context.unchecked = new UncheckedRead(hint, true, clientName, offset, length, tokenIsChecked);
    context.unchecked.checksums = checksums;
  }

  /** The read that the calling thread has begun comes by that connection. */
  public static void readComesBy(Peer peer) {
    RequestContext.ofThread().unchecked.client = ClientConnection.of(peer);
  }

  /**
   * The calling thread begins to compute the checksum of a block from the checksums of its parts.
   * Nothing is decided yet; {@link #finishRead} must follow. The operation does not tell the name
   * of the client.
   *
   * @param tokenIsChecked as in {@link #readBegins}
   */
  public static void checksumBegins(boolean tokenIsChecked) {
    RequestContext context = RequestContext.ofThread();
    Hint hint = context.takeStated();
    context.unchecked = new UncheckedRead(hint, false, "", 0, 0, tokenIsChecked);
  }

  /**
   * The calling thread begins to ask other DataNodes for the checksums of the blocks of a group,
   * with the priority that the client has stated. Each of them decides what it grants.
   *
   * @return the value to pass to {@link WorkScope#close} at the end
   */
  public static PriorityScope groupChecksumBegins(Configuration conf) {
    return ParsedPriority.onward(conf, RequestContext.ofThread().takeStated()).openScope();
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
    RequestContext context = RequestContext.ofThread();
    UncheckedRead read = context.unchecked;
    if (read == null) {
      return null;
    }
    context.unchecked = null;
    try {
      decide(
          dataNode,
          block,
          read,
          new DataNodeRequest(read.clientName, read.tokenIsChecked ? token : null, peer));
      return read.client.isGone() ? new ClientGoneException() : null;
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
    ServedRequest read = RequestContext.ofThread().read;
    if (read != null) {
      read.setRefused();
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
      Hint hint, DataNodeRequest request, DataNode dataNode, ExtendedBlock block) {
    UncheckedRead read =
        new UncheckedRead(hint, true, request.clientName(), 0, block.getNumBytes(), false);
    // Its thread connects to the other DataNode first.
    read.opensNow = false;
    try {
      decide(dataNode, block, read, request);
    } catch (RefusedReadException e) {
      throw new IllegalStateException("the read of a transfer must not be refused", e);
    }
  }

  private static void decide(
      DataNode dataNode, ExtendedBlock block, UncheckedRead read, DataNodeRequest request)
      throws RefusedReadException {
    try {
      BlockRead what = BlockRead.of(dataNode, block, read.offset, read.length).with(read.hint);
      decide(dataNode.getConf(), read.checksums ? what.withChecksums() : what, read, request);
    } catch (RuntimeException | Error e) {
      giveUp();
      // The hook counts and logs it, and the read goes on.
      throw e;
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
    Configuration conf = dataNode.getConf();
    BlockRead what = BlockRead.of(dataNode, block, 0, block.getNumBytes());
    VolumeMode mode = what.volume().mode();
    if (DataNodeWork.isOff() || mode == VolumeMode.OFF) {
      return;
    }
    IoPriority priority = DataNodePolicy.of(conf).priorityOf(role);
    ServedRequest read = ServedRequest.of(role, priority);
    RequestContext.ofThread().read = read;
    if (mode.isStock()) {
      read.setObserved(what.volume().observe(what, priority));
      return;
    }
    if (priority == null) {
      return;
    }
    read.applyPriority(what.volume());
    if (opensNow) {
      ScheduledReads.beginOwn(what, priority);
    }
  }

  private static void decide(
      Configuration conf, BlockRead what, UncheckedRead unchecked, DataNodeRequest request)
      throws RefusedReadException {
    VolumeMode mode = what.volume().mode();
    if (mode == VolumeMode.OFF) {
      return;
    }
    DataNodePolicy policy = DataNodePolicy.of(conf);
    IoPriority asked = unchecked.hint.priority();
    IoRole role = request.role(unchecked.hint.role(), IoRole.CLIENT_READ);
    boolean targeted = unchecked.opensNow && what.volume().heedsTargets(mode);
    if (mode.isStock()) {
      request.setObserved();
    }
    Admission admission = policy.admit(asked, request, targeted);
    // First of all, so that whatever fails from here on gives the place back.
    ServedRequest read =
        admission == null ? ServedRequest.of(role, null) : ServedRequest.read(role, admission);
    RequestContext context = RequestContext.ofThread();
    context.read = read;
    IoPriority granted = admission == null ? null : admission.priority();
    if (HopTrace.isOn()) {
      HopTrace.hop(
          "datanode",
          granted,
          "asked="
              + (asked == null ? "nothing" : asked)
              + " role="
              + role
              + " client="
              + Printable.of(request.clientName()));
    }
    if (mode.isStock()) {
      if (unchecked.ofData) {
        read.setObserved(what.volume().observe(what, granted));
      }
      return;
    }
    if (unchecked.ofData) {
      context.engineRead = EngineReads.admitted(conf, granted, unchecked.hint);
    }
    read.applyPriority(what.volume());
    // Checksums are little, and nothing tells when they are read: they pass no queue.
    if (unchecked.opensNow) {
      ScheduledReads.begin(what, granted, unchecked.client);
    } else if (unchecked.ofData) {
      ScheduledReads.transferBegins(what, granted);
    }
  }

  /** The read is served like one without a priority. */
  private static void giveUp() {
    RequestContext context = RequestContext.ofThread();
    ServedRequest read = context.read;
    context.read = null;
    context.engineRead = null;
    if (read != null) {
      read.giveBack();
    }
  }

  /** Counts bytes of block data that the calling thread has sent. */
  public static void sent(long bytes) {
    ServedRequest read = RequestContext.ofThread().read;
    if (read != null) {
      read.moved(bytes);
      read.goOn();
    }
  }

  /** The calling thread has ended its read, successful or not; restores its priority. */
  public static void finishRead() {
    RequestContext context = RequestContext.ofThread();
    ServedRequest read = context.read;
    context.read = null;
    // Still there if the client may not read the block.
    context.unchecked = null;
    context.engineRead = null;
    try {
      ScheduledReads.finish();
    } finally {
      if (read != null) {
        read.finish();
      }
    }
  }

  /**
   * The calling thread is about to answer its client that the read begins.
   *
   * @return as {@link EngineReads#answering}
   */
  public static ReplicaInputStreams answering(
      Replica replica, ReplicaInputStreams stock, FileIoProvider provider, long offset, long end) {
    EngineRead read = RequestContext.ofThread().engineRead;
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
    EngineRead read = RequestContext.ofThread().engineRead;
    return read == null ? stock : EngineReads.streams(read, replica, stock, provider, offset, end);
  }

  /**
   * The calling thread has opened the checksums of a replica.
   *
   * @return as {@link EngineReads#checksums}
   */
  public static LengthInputStream checksums(
      ReplicaState state, FsVolumeSpi volume, LengthInputStream stock) throws IOException {
    EngineRead read = RequestContext.ofThread().engineRead;
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
