package org.hadoopprio.hdfs.datanode;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.apache.hadoop.conf.Configuration;
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
 * been parsed, {@link #admitRead} and {@link #finishRead} around {@code DataXceiver.readBlock} on
 * the same thread, {@link #readaheadMade} and {@link #readaheadRuns} for requests of that read to
 * the readahead pool.
 */
public final class DataNodeReads {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodeReads.class);
  private static final RateLimitedLog MALFORMED_LOG = new RateLimitedLog(LOG);

  /**
   * The priority of the operation that this thread has parsed and not yet started. A read starts
   * right after it is parsed, so a value never outlives its operation.
   */
  private static final ThreadLocal<IoPriority> PARSED = new ThreadLocal<>();

  /** The read with a priority that this thread is serving. */
  private static final ThreadLocal<ServedRead> SERVED = new ThreadLocal<>();

  private static final WeakConcurrentMap<Object, IoPriority> READAHEADS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private DataNodeReads() {}

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
   * Decides about a read and applies the priority that it is granted to the calling thread. A read
   * may have to wait here.
   *
   * @param what is read
   * @param userIsProven whether this DataNode checks block tokens before it reads
   * @return the value to pass to {@link #finishRead}; null for a read at the normal priority.
   *     Object because the hooked class, which keeps it in a local variable, has no access to
   *     ServedRead
   */
  public static Object admitRead(
      Configuration conf,
      BlockRead what,
      Token<BlockTokenIdentifier> token,
      boolean userIsProven,
      String clientName,
      String peer) {
    IoPriority asked = PARSED.get();
    if (asked != null) {
      PARSED.remove();
    }
    if (ScheduledReads.isOff(conf, what)) {
      return null;
    }
    DataNodePolicy policy = DataNodePolicy.of(conf);
    Admission admission =
        asked == null && !policy.hasRules()
            ? null
            : policy.admit(
                asked, new DataNodeRequest(clientName, userIsProven ? token : null, peer));
    if (HopTrace.isOn()) {
      HopTrace.hop(
          "datanode",
          admission == null ? null : admission.priority(),
          "asked=" + (asked == null ? "nothing" : asked) + " client=" + clientName);
    }
    IoPriority granted = admission == null ? null : admission.priority();
    if (granted != null && granted.ioClass() == IoClass.REALTIME) {
      EngineReads.realtimeAdmitted(conf);
    }
    ServedRead read = granted == null ? null : new ServedRead(admission);
    if (read != null) {
      SERVED.set(read);
    }
    ScheduledReads.begin(conf, what, granted);
    return read;
  }

  /** Counts bytes of block data that the calling thread has sent. */
  public static void sent(long bytes) {
    ServedRead read = SERVED.get();
    if (read != null) {
      read.sent(bytes);
    }
  }

  /** Restores the thread's priority after a read, successful or not. */
  public static void finishRead(Object admitted) {
    // Also after a failure in admitRead, which leaves the read at the normal priority.
    EngineReads.readFinished();
    ScheduledReads.finish();
    if (admitted != null) {
      SERVED.remove();
      ((ServedRead) admitted).finish();
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
