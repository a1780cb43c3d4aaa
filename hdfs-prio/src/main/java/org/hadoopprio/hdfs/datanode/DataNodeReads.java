package org.hadoopprio.hdfs.datanode;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.engine.EngineReads;
import org.hadoopprio.hdfs.datanode.scheduler.BlockRead;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;
import org.hadoopprio.hdfs.wire.MalformedPriorityException;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.HopTrace;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.metrics.PriorityMetricsSource;
import org.hadoopprio.policy.Admission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delegate of the hooks on the DataNode: applies the priority of a read. Thread-safe. The hooks
 * call it in this order:
 *
 * <p>{@link #dataNodeStarting} once, {@link #operationParsed} when the header of an operation has
 * been parsed, {@link #readBegins} and {@link #finishRead} around {@code DataXceiver.readBlock} on
 * the same thread, between them {@link #accessChecked} when Hadoop has found the block token good,
 * {@link #readaheadMade} and {@link #readaheadRuns} for requests of that read to the readahead
 * pool.
 */
public final class DataNodeReads {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodeReads.class);
  private static final RateLimitedLog MALFORMED_LOG = new RateLimitedLog(LOG);

  /**
   * The priority of the operation that this thread has parsed and not yet started. A read starts
   * right after it is parsed, so a value never outlives its operation.
   */
  private static final ThreadLocal<IoPriority> PARSED = new ThreadLocal<>();

  /** The read that this thread has begun, and of which it has not checked the block token. */
  private static final ThreadLocal<UncheckedRead> UNCHECKED = new ThreadLocal<>();

  /** The read with a priority that this thread is serving. */
  private static final ThreadLocal<ServedRead> SERVED = new ThreadLocal<>();

  private static final WeakConcurrentMap<Object, IoPriority> READAHEADS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private DataNodeReads() {}

  /** What a client has written. */
  private static final class UncheckedRead {

    /** Null for none. */
    final IoPriority asked;

    final String clientName;
    final long offset;
    final long length;
    final boolean tokenIsChecked;

    UncheckedRead(
        IoPriority asked, String clientName, long offset, long length, boolean tokenIsChecked) {
      this.asked = asked;
      this.clientName = clientName;
      this.offset = offset;
      this.length = length;
      this.tokenIsChecked = tokenIsChecked;
    }
  }

  /** A DataNode is about to serve; reads its policy and registers the metrics. */
  public static void dataNodeStarting(DataNode dataNode) {
    DataNodePolicy.of(dataNode.getConf());
    ScheduledReads.dataNodeStarting(dataNode);
    PriorityMetricsSource.register();
  }

  /** Records the priority that a parsed operation carries. */
  public static void operationParsed(Message operation) {
    IoPriority priority = null;
    try {
      priority = PriorityField.read(operation);
    } catch (MalformedPriorityException e) {
      PriorityMetrics.MALFORMED.increment();
      MALFORMED_LOG.warn(
          () ->
              "A read carries a priority that cannot be used and is served at the normal priority: "
                  + e.getMessage());
      // An explicit none, so that no rule for requests without a priority applies.
      priority = IoPriority.NONE;
    }
    if (priority != null) {
      PARSED.set(priority);
    } else if (PARSED.get() != null) {
      PARSED.remove();
    }
  }

  /**
   * The calling thread begins a read. Nothing is decided yet, because anybody can write what it was
   * given; {@link #finishRead} must follow.
   *
   * @param offset where the read begins in the block, in bytes
   * @param length of the read, in bytes
   * @param tokenIsChecked whether this DataNode checks the tokens of the block's pool
   */
  public static void readBegins(
      String clientName, long offset, long length, boolean tokenIsChecked) {
    IoPriority asked = PARSED.get();
    if (asked != null) {
      PARSED.remove();
    }
    UNCHECKED.set(new UncheckedRead(asked, clientName, offset, length, tokenIsChecked));
  }

  /**
   * The client may read the block: decides about the read that the calling thread has begun, and
   * applies the priority that it is granted to the thread. A read may have to wait here. Does
   * nothing for other operations.
   *
   * @param token the block token, which has been checked if the DataNode checks those of its pool
   * @param peer the address of the client as DataXceiver prints it, {@code /host:port}
   */
  public static void accessChecked(
      DataNode dataNode, ExtendedBlock block, Token<BlockTokenIdentifier> token, String peer) {
    UncheckedRead read = UNCHECKED.get();
    if (read == null) {
      return;
    }
    UNCHECKED.remove();
    try {
      decide(
          dataNode.getConf(),
          BlockRead.of(dataNode, block, read.offset, read.length),
          read.asked,
          new DataNodeRequest(read.clientName, read.tokenIsChecked ? token : null, peer));
    } catch (RuntimeException | Error e) {
      giveUp();
      // The hook counts and logs it, and the read goes on.
      throw e;
    }
  }

  private static void decide(
      Configuration conf, BlockRead what, IoPriority asked, DataNodeRequest request) {
    if (ScheduledReads.isOff(conf, what)) {
      return;
    }
    DataNodePolicy policy = DataNodePolicy.of(conf);
    Admission admission = asked == null && !policy.hasRules() ? null : policy.admit(asked, request);
    ServedRead read = null;
    if (admission != null) {
      // First of all, so that whatever fails from here on gives the place back.
      read = new ServedRead(admission);
      SERVED.set(read);
    }
    IoPriority granted = admission == null ? null : admission.priority();
    if (HopTrace.isOn()) {
      HopTrace.hop(
          "datanode",
          granted,
          "asked=" + (asked == null ? "nothing" : asked) + " client=" + request.clientName());
    }
    if (granted != null && granted.ioClass() == IoClass.REALTIME) {
      EngineReads.realtimeAdmitted(conf);
    }
    if (read != null) {
      read.applyPriority();
    }
    ScheduledReads.begin(conf, what, granted);
  }

  /** The read is served like one without a priority. */
  private static void giveUp() {
    EngineReads.readFinished();
    ServedRead read = SERVED.get();
    if (read != null) {
      SERVED.remove();
      read.giveBack();
    }
  }

  /** Counts bytes of block data that the calling thread has sent. */
  public static void sent(long bytes) {
    ServedRead read = SERVED.get();
    if (read != null) {
      read.sent(bytes);
    }
  }

  /** The calling thread has ended its read, successful or not; restores its priority. */
  public static void finishRead() {
    // Still there if the client may not read the block.
    if (UNCHECKED.get() != null) {
      UNCHECKED.remove();
    }
    EngineReads.readFinished();
    try {
      ScheduledReads.finish();
    } finally {
      ServedRead read = SERVED.get();
      if (read != null) {
        SERVED.remove();
        read.finish();
      }
    }
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
