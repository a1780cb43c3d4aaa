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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the DataNode does with the priority of a read: the hooks call it in this order.
 *
 * <p>{@link #parsed} when an operation's header has been read, {@link #begin} and {@link #end}
 * around {@code DataXceiver.readBlock} on the same thread, {@link #readaheadMade} and {@link
 * #readaheadRuns} for what that read hands to the readahead pool.
 */
public final class DataNodeReads {

  private static final Logger LOG = LoggerFactory.getLogger(DataNodeReads.class);
  private static final RateLimitedLog MALFORMED_LOG = new RateLimitedLog(LOG);

  /**
   * The priority of the operation this thread has parsed and not begun. Every read is parsed right
   * before it begins, so a value never outlives its operation.
   */
  private static final ThreadLocal<IoPriority> PARSED = new ThreadLocal<>();

  /** One policy a configuration, so one a DataNode. */
  private static final WeakConcurrentMap<Configuration, DataNodePolicy> POLICIES =
      new WeakConcurrentMap.WithInlinedExpunction<>() {
        @Override
        protected DataNodePolicy defaultValue(Configuration conf) {
          return DataNodePolicy.of(conf);
        }
      };

  private static final WeakConcurrentMap<Object, IoPriority> READAHEADS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private DataNodeReads() {}

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
   * @return to be handed to {@link #end}
   */
  public static int begin(
      Configuration conf, Token<BlockTokenIdentifier> token, String clientName, String peer) {
    IoPriority asked = PARSED.get();
    if (asked != null) {
      PARSED.remove();
    }
    DataNodePolicy policy = POLICIES.get(conf);
    IoPriority granted =
        asked == null && !policy.hasRules()
            ? null
            : policy.grant(asked, new DataNodeRequest(clientName, token, peer));
    if (HopTrace.isOn()) {
      HopTrace.hop(
          "datanode",
          granted,
          "asked=" + (asked == null ? "nothing" : asked) + " client=" + clientName);
    }
    if (granted == null) {
      return ThreadIoPriority.UNCHANGED;
    }
    if (granted.ioClass() == IoClass.REALTIME) {
      RealtimePackets.realtimeGranted(conf);
      EngineReads.realtimeBegins(conf);
    }
    return ThreadIoPriority.apply(granted);
  }

  /** Ends a read, however it ended. */
  public static void end(int begun) {
    ThreadIoPriority.restore(begun);
    EngineReads.readEnds();
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
