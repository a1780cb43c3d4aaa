package org.hadoopprio.hdfs.datanode;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.HopTrace;
import org.hadoopprio.IoClass;
import org.hadoopprio.IoPriority;
import org.hadoopprio.RateLimitedLog;
import org.hadoopprio.hdfs.datanode.engine.EngineReads;
import org.hadoopprio.hdfs.datanode.share.RealtimePackets;
import org.hadoopprio.hdfs.wire.MalformedPriorityException;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.metrics.PriorityMetricsSource;
import org.hadoopprio.policy.Admission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the DataNode does with the priority of a read: the hooks call it in this order.
 *
 * <p>{@link #starting} once, {@link #parsed} when an operation's header has been read, {@link
 * #begin} and {@link #end} around {@code DataXceiver.readBlock} on the same thread, {@link
 * #readaheadMade} and {@link #readaheadRuns} for what that read hands to the readahead pool.
 */
public final class DataNodeReads {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodeReads.class);
  private static final RateLimitedLog MALFORMED_LOG = new RateLimitedLog(LOG);

  /**
   * The priority of the operation this thread has parsed and not begun. Every read is parsed right
   * before it begins, so a value never outlives its operation.
   */
  private static final ThreadLocal<IoPriority> PARSED = new ThreadLocal<>();

  /** The read with a priority that this thread serves. */
  private static final ThreadLocal<ServedRead> SERVED = new ThreadLocal<>();

  private static final WeakConcurrentMap<Object, IoPriority> READAHEADS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private DataNodeReads() {}

  /** A DataNode is about to serve. */
  public static void starting(Configuration conf) {
    DataNodePolicy.of(conf);
    PriorityMetricsSource.register();
  }

  /** Takes note of the priority a parsed operation carries. */
  public static void parsed(Message operation) {
    IoPriority priority = null;
    try {
      priority = PriorityField.read(operation);
    } catch (MalformedPriorityException e) {
      PriorityMetrics.MALFORMED.increment();
      MALFORMED_LOG.warn(
          "A read came with a priority that cannot be used and is served at the normal one: "
              + e.getMessage());
      // An explicit none: a rule for requests without a priority is not for this one.
      priority = IoPriority.NONE;
    }
    if (priority != null) {
      PARSED.set(priority);
    } else if (PARSED.get() != null) {
      PARSED.remove();
    }
  }

  /**
   * Begins a read.
   *
   * @param userIsProven whether this DataNode checks block tokens before it reads
   * @return to be handed to {@link #end}; null for a read at the normal priority
   */
  public static Object begin(
      Configuration conf,
      Token<BlockTokenIdentifier> token,
      boolean userIsProven,
      String clientName,
      String peer) {
    IoPriority asked = PARSED.get();
    if (asked != null) {
      PARSED.remove();
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
    if (admission == null) {
      return null;
    }
    if (admission.priority().ioClass() == IoClass.REALTIME) {
      RealtimePackets.realtimeGranted(conf);
      EngineReads.realtimeBegins(conf);
    }
    ServedRead read = new ServedRead(admission);
    SERVED.set(read);
    return read;
  }

  /** The calling thread has sent so many bytes of a block's data. */
  public static void sent(long bytes) {
    ServedRead read = SERVED.get();
    if (read != null) {
      read.sent(bytes);
    }
  }

  /** Ends a read, however it ended. */
  public static void end(Object begun) {
    // Also of a read that a failure in begin has made a normal one.
    EngineReads.readEnds();
    if (begun != null) {
      SERVED.remove();
      ((ServedRead) begun).end();
    }
  }

  /** A read of the calling thread has made a request to the readahead pool. */
  public static void readaheadMade(Object request) {
    IoPriority applied = ThreadIoPriority.applied();
    if (applied != null) {
      READAHEADS.put(request, applied);
    }
  }

  /** The readahead pool begins a request on the calling thread. */
  public static void readaheadRuns(Object request) {
    ThreadIoPriority.settle(READAHEADS.remove(request));
  }
}
