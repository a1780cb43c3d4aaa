// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Op;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.hdfs.wire.PriorityField;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.HopTrace;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.LoggerFactory;

/**
 * The delegate of the hooks on the HDFS client: carries the priority of a read to the DataNode, and
 * stamps writes with theirs ({@link ClientWrites}). Thread-safe.
 */
public final class ClientReads {

  private static final RateLimitedLog MALFORMED_LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ClientReads.class));

  /** Those of each DFSClient whose configuration states something. */
  private static final WeakConcurrentMap<DFSClient, ClientDefaults> DEFAULTS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  /**
   * The priority and tenant that were sent when a block was opened, for blocks opened with any. No
   * target: what is left of it differs at each read.
   */
  private static final WeakConcurrentMap<BlockReader, Hint> OPENED_AT =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  /** The same of the last sequential read of each erasure-coded file. */
  private static final WeakConcurrentMap<DFSInputStream, Hint> STRIPES_AT =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private static volatile boolean everDefault;
  private static volatile boolean everOpenedWithPriority;
  private static volatile boolean everStripedWithPriority;

  private ClientReads() {}

  /** A client has been created; reads its defaults from its configuration. */
  public static void created(DFSClient client, Configuration conf) {
    IoPriority priority =
        stated(ClientKeys.PRIORITY, conf, "reads of this client keep the normal priority");
    String tenant = stated(ClientKeys.TENANT, conf, "this client names no tenant");
    if (priority != null || tenant != null) {
      DEFAULTS.put(client, new ClientDefaults(priority, tenant));
      everDefault = true;
    }
  }

  private static <T> T stated(ConfigKey<T> key, Configuration conf, String otherwise) {
    try {
      return key.get(conf);
    } catch (IllegalArgumentException e) {
      PriorityMetrics.MALFORMED.increment();
      MALFORMED_LOG.warn(e.getMessage() + "; " + otherwise);
      return null;
    }
  }

  /**
   * The calling thread enters a client's stream.
   *
   * @return the value to pass to {@link #leave}
   */
  public static ClientDefaults enter(DFSClient client) {
    ClientDefaults its = everDefault ? DEFAULTS.getIfPresent(client) : null;
    return CurrentPriority.enterClient(its == null ? ClientDefaults.NONE : its);
  }

  /** The calling thread leaves the stream, normally or with an exception. */
  public static void leave(ClientDefaults entered) {
    // The hook gives null if what was to enter has failed.
    CurrentPriority.leaveClient(entered == null ? ClientDefaults.NONE : entered);
  }

  /**
   * The calling thread is about to open a block for a client, and so to send an OpReadBlock.
   *
   * @return the value to pass to {@link #openingEnds}
   */
  public static ClientDefaults opening(DFSClient client) {
    ClientDefaults entered = enter(client);
    ClientContext.ofThread().patienceMillis = patienceMillis(client);
    return entered;
  }

  /** The calling thread has opened it, or has failed to. */
  public static void openingEnds(ClientDefaults entered) {
    ClientContext.ofThread().patienceMillis = 0;
    leave(entered);
  }

  /** After how long a client gives up a DataNode from which nothing comes. */
  static int patienceMillis(DFSClient client) {
    return client == null ? 0 : client.getConf().getSocketTimeout();
  }

  /** The message to send instead of the given one: with the priority, if there is one. */
  public static Message stamp(Op op, Message message) {
    if (OffSwitch.isOff(AgentModule.HDFS_CLIENT)) {
      return message;
    }
    Hint hint;
    switch (op) {
      case READ_BLOCK:
        hint = readHint().patientFor(ofReads());
        break;
      case BLOCK_CHECKSUM:
      case BLOCK_GROUP_CHECKSUM:
        hint = hint();
        break;
      case WRITE_BLOCK:
      case TRANSFER_BLOCK:
        // That of the scope only: of the streamer, or in a DataNode, which sends the operation on,
        // the priority that it came with.
        hint = ofScope().withoutTarget();
        break;
      default:
        return message;
    }
    if (HopTrace.isOn()) {
      HopTrace.hop(
          "hdfs-client",
          hint.priority(),
          "op=" + op + (hint.role() == null ? "" : " role=" + hint.role()));
    }
    if (hint.saysNothing()) {
      return message;
    }
    PriorityMetrics.STAMPED.increment();
    return PriorityField.write(message, hint);
  }

  private static Hint ofScope() {
    return Hint.ofScope(orNull(PriorityScope.current()));
  }

  /** The patience of what the calling thread reads for, in milliseconds; 0 if unknown. */
  private static int ofReads() {
    int ofScope = PriorityScope.currentPatienceMillis();
    return ofScope == 0 ? ClientContext.ofThread().patienceMillis : ofScope;
  }

  /**
   * The calling thread has opened a block; {@code reader} is null if that failed.
   *
   * @param offset the start of the read in the block, in bytes
   * @param length the length of the read, in bytes; sequential reads, the only ones that call
   *     {@link #mustReopen}, open a block up to its end
   */
  public static void opened(BlockReader reader, LocatedBlock block, long offset, long length) {
    Hint sent = reader == null ? Hint.NOTHING : work();
    if (!sent.saysNothing() && offset + length == block.getBlockSize()) {
      everOpenedWithPriority = true;
      OPENED_AT.put(reader, sent);
    }
    if (sent.priority() != null && reader.isShortCircuit()) {
      // No DataNode counts this read.
      PriorityMetrics.granted(sent.priority().ioClass()).increment();
    }
  }

  /**
   * Whether a sequential read must reopen its block because priority or tenant have changed: one
   * OpReadBlock covers the rest of the block with what it was sent with. A short-circuit reader
   * applies both at every read and need not be reopened.
   */
  public static boolean mustReopen(BlockReader reader) {
    if (reader == null || reader.isShortCircuit()) {
      return false;
    }
    Hint now = work();
    if (now.saysNothing() && !everOpenedWithPriority) {
      return false;
    }
    if (isSame(now, OPENED_AT.getIfPresent(reader))) {
      return false;
    }
    PriorityMetrics.REOPENED.increment();
    return true;
  }

  /**
   * A sequential read of an erasure-coded file begins. All its blocks must be opened anew if
   * priority or tenant are not those of the read before.
   *
   * @param stream the file's
   * @param isOpen whether the stream has a block group open
   */
  public static void stripesRead(DFSInputStream stream, boolean isOpen) {
    Hint now = work();
    if (now.saysNothing() && !everStripedWithPriority) {
      return;
    }
    if (isSame(now, STRIPES_AT.getIfPresent(stream))) {
      return;
    }
    if (now.saysNothing()) {
      STRIPES_AT.remove(stream);
    } else {
      everStripedWithPriority = true;
      STRIPES_AT.put(stream, now);
    }
    if (isOpen) {
      PriorityMetrics.REOPENED.increment();
      stream.unbuffer();
    }
  }

  /** Wraps a hedged read so that it runs with the caller's priority. */
  public static <T> Callable<T> carry(Callable<T> read) {
    return carry(read, CurrentPriority.ofWork(), CurrentPriority.tenantOfWork());
  }

  /**
   * Wraps the read of a part of a stripe so that it runs with the caller's priority. Nothing binds
   * the client's default on the threads of that pool, so it is taken along, too.
   */
  public static <T> Callable<T> carryStripe(Callable<T> read) {
    return carry(read, CurrentPriority.get(), CurrentPriority.tenant());
  }

  private static <T> Callable<T> carry(Callable<T> read, IoPriority p, String tenant) {
    Hint hint = Hint.of(p, PriorityScope.currentRole()).ofTenant(tenant);
    if (hint.saysNothing()) {
      return read;
    }
    return () -> {
      try (PriorityScope scope = hint.openScope()) {
        return read.call();
      }
    };
  }

  /**
   * Applies the priority to the calling thread, which is about to read a block file itself
   * (short-circuit read).
   *
   * @return the value to pass to {@link #restoreLocal}
   */
  public static int applyLocal() {
    IoPriority p = stated();
    if (p == null) {
      return ThreadIoPriority.UNCHANGED;
    }
    return ThreadIoPriority.apply(p);
  }

  /** Restores the thread's priority after a short-circuit read, successful or not. */
  public static void restoreLocal(int applied) {
    ThreadIoPriority.restore(applied);
  }

  /** What the calling thread's work states; null for nothing, and while the client is off. */
  static IoPriority stated() {
    return OffSwitch.isOff(AgentModule.HDFS_CLIENT) ? null : orNull(CurrentPriority.get());
  }

  /** The same for a read that the calling thread is about to do; called once for each. */
  static Hint readHint() {
    Hint hint = hint();
    IoPriority priority = hint.priority();
    if (priority == null || !priority.hasTarget()) {
      return hint;
    }
    Hint following = hint.followedBy(CurrentPriority.readBegins());
    return LateReads.mayRefuse() ? following.refusable() : following;
  }

  /** Priority, without target, and tenant of the calling thread's work. */
  private static Hint work() {
    if (OffSwitch.isOff(AgentModule.HDFS_CLIENT)) {
      return Hint.NOTHING;
    }
    IoPriority p = stated();
    return Hint.of(p == null ? null : p.withoutTarget(), null).ofTenant(CurrentPriority.tenant());
  }

  private static boolean isSame(Hint now, Hint before) {
    Hint was = before == null ? Hint.NOTHING : before;
    return Objects.equals(now.priority(), was.priority())
        && Objects.equals(now.tenant(), was.tenant());
  }

  /**
   * What {@link #stated} says with the role, which belongs to the scope that states the priority.
   */
  static Hint hint() {
    return OffSwitch.isOff(AgentModule.HDFS_CLIENT)
        ? Hint.NOTHING
        : Hint.of(stated(), PriorityScope.currentRole()).ofTenant(CurrentPriority.tenant());
  }

  private static IoPriority orNull(IoPriority p) {
    return p == null || p.isNone() ? null : p;
  }
}
