package org.hadoopprio.hdfs.client;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Op;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.HopTrace;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.RateLimitedLog;
import org.hadoopprio.config.HdfsKeys;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/** What the HDFS client does with the priority of a read; called by the hooks. Thread-safe. */
public final class ClientReads {

  private static final RateLimitedLog MALFORMED_LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ClientReads.class));

  /** What {@code dfs.client.io.priority} says, for each DFSClient for which it says something. */
  private static final WeakConcurrentMap<DFSClient, IoPriority> DEFAULTS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  /** The priority that went out when a block was opened, for those that had one. */
  private static final WeakConcurrentMap<BlockReader, IoPriority> OPENED_AT =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private static volatile boolean everDefault;
  private static volatile boolean everOpenedWithPriority;

  private ClientReads() {}

  /** A client has been made: reads its default once. */
  public static void created(DFSClient client, Configuration conf) {
    try {
      IoPriority p = HdfsKeys.CLIENT_PRIORITY.get(conf);
      if (p != null) {
        DEFAULTS.put(client, p);
        everDefault = true;
      }
    } catch (IllegalArgumentException e) {
      PriorityMetrics.MALFORMED.increment();
      MALFORMED_LOG.warn(e.getMessage() + "; reads of this client keep the normal priority");
    }
  }

  /**
   * A call into a client's stream begins on this thread.
   *
   * @return to be handed to {@link #leave}
   */
  public static IoPriority enter(DFSClient client) {
    return CurrentPriority.enterClient(everDefault ? DEFAULTS.getIfPresent(client) : null);
  }

  /** The call that {@link #enter} began ends. */
  public static void leave(IoPriority entered) {
    CurrentPriority.leaveClient(entered);
  }

  /** The message to send in place of the given one: with the priority, if there is one. */
  public static Message stamp(Op op, Message message) {
    if (op != Op.READ_BLOCK) {
      return message;
    }
    IoPriority p = stated();
    if (HopTrace.isOn()) {
      HopTrace.hop("hdfs-client", p, "op=" + op);
    }
    if (p == null) {
      return message;
    }
    PriorityMetrics.STAMPED.increment();
    return PriorityField.write(message, p);
  }

  /**
   * A block has been opened on the calling thread, or has not: {@code reader} is null then.
   *
   * @param offset where in the block, in bytes
   * @param length how much of it; sequential reads, which alone ask {@link #mustReopen}, open up to
   *     the block's end
   */
  public static void opened(BlockReader reader, LocatedBlock block, long offset, long length) {
    IoPriority p = reader == null ? null : stated();
    if (p != null) {
      if (offset + length == block.getBlockSize()) {
        everOpenedWithPriority = true;
        OPENED_AT.put(reader, p);
      }
      if (reader.isShortCircuit()) {
        // No DataNode counts this one.
        PriorityMetrics.granted(p.ioClass()).increment();
      }
    }
  }

  /**
   * Whether a sequential read must open its block anew because the priority has changed since: one
   * OpReadBlock covers the rest of the block, at the priority it was sent with. A short-circuit
   * reader asks at every read and needs no new one.
   */
  public static boolean mustReopen(BlockReader reader) {
    if (reader == null || reader.isShortCircuit()) {
      return false;
    }
    IoPriority now = stated();
    if (now == null && !everOpenedWithPriority) {
      return false;
    }
    if (Objects.equals(now, OPENED_AT.getIfPresent(reader))) {
      return false;
    }
    PriorityMetrics.REOPENED.increment();
    return true;
  }

  /** Carries the caller's priority into the thread of a hedged read. */
  public static <T> Callable<T> carry(Callable<T> read) {
    IoPriority p = CurrentPriority.ofWork();
    if (p == null) {
      return read;
    }
    return () -> {
      try (PriorityScope scope = PriorityScope.open(p)) {
        return read.call();
      }
    };
  }

  /**
   * A short-circuit read begins: the calling thread itself reads the block file.
   *
   * @return to be handed to {@link #endLocal}
   */
  public static int beginLocal() {
    IoPriority p = stated();
    if (p == null) {
      return ThreadIoPriority.UNCHANGED;
    }
    return ThreadIoPriority.apply(p);
  }

  /** A short-circuit read ends, however it ends. */
  public static void endLocal(int begun) {
    ThreadIoPriority.restore(begun);
  }

  private static IoPriority stated() {
    IoPriority p = CurrentPriority.get();
    return p == null || p.isNone() ? null : p;
  }
}
