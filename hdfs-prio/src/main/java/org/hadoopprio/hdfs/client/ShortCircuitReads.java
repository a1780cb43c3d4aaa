// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.shortcircuit.DomainSocketFactory;
import org.apache.hadoop.hdfs.shortcircuit.ShortCircuitReplica;
import org.hadoopprio.hdfs.wire.RefusedReadException;
import org.hadoopprio.hdfs.wire.TurnSocket;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.slf4j.LoggerFactory;

/**
 * The delegate of the hooks on short-circuit reads: a read that needs the disk first asks the
 * DataNode. Thread-safe. The hooks call it in this order:
 *
 * <p>{@link #opened} when a block reader has been made; {@link #enter} and {@link #leave} around
 * each of its reads; between them, on the same thread, {@link #beforeFile} and {@link #afterFile}
 * around each read of the block's file; {@link #closed} at the end.
 */
public final class ShortCircuitReads {

  /**
   * Where each open block reader's DataNode is, and how far it has read. One that nobody closes is
   * left to the garbage collector.
   */
  private static final WeakConcurrentMap<BlockReader, ShortCircuitBlock> OPENED =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  /** By the address of the DataNode, of which a host has few. */
  private static final Map<InetSocketAddress, TurnClient> BY_ADDRESS = new ConcurrentHashMap<>();

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ShortCircuitReads.class));

  private static volatile boolean everOpened;

  private ShortCircuitReads() {}

  /**
   * The calling thread begins to open a block: applies the priority to the thread. On which volume
   * the block is, is known afterwards; so it opens it as stock if reads of any volume are.
   *
   * @param dataNode where the block is
   * @return the value to pass to {@link ClientReads#restoreLocal}
   */
  public static int opens(InetSocketAddress dataNode) {
    TurnClient client = BY_ADDRESS.get(dataNode);
    return client != null && client.resting().isAnyOff()
        ? ThreadIoPriority.UNCHANGED
        : ClientReads.applyLocal();
  }

  /**
   * A block reader has been made for a block.
   *
   * @param reader null if that failed
   * @param dataNode where it is
   * @param path what HDFS knows about the DataNode's socket
   */
  public static void opened(
      BlockReader reader,
      InetSocketAddress dataNode,
      DomainSocketFactory.PathInfo path,
      ExtendedBlock block,
      String clientName) {
    if (reader != null && path != null) {
      TurnClient client = TurnClient.of(TurnSocket.path(path.getPath()));
      BY_ADDRESS.put(dataNode, client);
      opened(reader, new ShortCircuitBlock(client, block, clientName));
    }
  }

  static void opened(BlockReader reader, ShortCircuitBlock block) {
    OPENED.put(reader, block);
    everOpened = true;
  }

  /** A block reader is not used any more. */
  public static void closed(BlockReader reader) {
    if (everOpened) {
      OPENED.remove(reader);
    }
  }

  static boolean knows(BlockReader reader) {
    return OPENED.containsKey(reader);
  }

  /**
   * The calling thread begins to read from a block, perhaps from its buffer only: applies the
   * priority to the thread.
   *
   * @return the value to pass to {@link #leave}
   */
  public static int enter(BlockReader reader, ShortCircuitReplica replica) {
    if (everOpened) {
      ClientContext.ofThread().shortCircuitRead().begin(reader, replica);
      if (isOff(reader, replica)) {
        return ThreadIoPriority.UNCHANGED;
      }
    }
    return ClientReads.applyLocal();
  }

  /** Whether the DataNode has said that reads of the volume are stock. */
  private static boolean isOff(BlockReader reader, ShortCircuitReplica replica) {
    ShortCircuitBlock block = OPENED.getIfPresent(reader);
    try {
      return block != null && block.isOff(replica.getDataStream());
    } catch (IOException e) {
      // The read itself will say so.
      return false;
    }
  }

  /**
   * The calling thread is about to read the block's file, and may have to wait here.
   *
   * @param buffer its limit may be lowered to what the DataNode has granted
   * @param position in the file, in bytes
   * @return the value to pass to {@link #afterFile}, null for most reads; or the IOException with
   *     which the read has to end: another replica should be read, or the file was closed here,
   *     because the thread was interrupted
   */
  public static Object beforeFile(FileChannel file, ByteBuffer buffer, long position) {
    if (!everOpened || OffSwitch.isOff(AgentModule.HDFS_CLIENT)) {
      return null;
    }
    ShortCircuitRead read = ClientContext.ofThread().shortCircuitRead();
    try {
      ShortCircuitBlock block = read.reader() == null ? null : OPENED.getIfPresent(read.reader());
      if (block == null) {
        return null;
      }
      long allowed = read.allowed(block, file, buffer.remaining(), position);
      if (allowed >= buffer.remaining()) {
        return null;
      }
      int limit = buffer.limit();
      buffer.limit(buffer.position() + (int) allowed);
      return limit;
    } catch (RefusedReadException | ClosedChannelException e) {
      // Whoever was first to use a channel after an interrupt is told so: stock, the read itself.
      return e;
    } catch (IOException | RuntimeException | LinkageError e) {
      // Our failure must not fail the read.
      PriorityMetrics.FAILED.increment();
      LOG.warn("A short-circuit read does not wait for its turn: " + e);
      return null;
    }
  }

  /**
   * The calling thread has read the block's file, or has failed to.
   *
   * @param before what {@link #beforeFile} has returned
   */
  public static void afterFile(ByteBuffer buffer, Object before) {
    if (before != null) {
      buffer.limit((Integer) before);
    }
  }

  /**
   * The calling thread has read from the block, or has failed to: restores its priority.
   *
   * @param applied what {@link #enter} has returned
   */
  public static void leave(int applied) {
    try {
      if (everOpened) {
        ClientContext.ofThread().shortCircuitRead().end();
      }
    } finally {
      ClientReads.restoreLocal(applied);
    }
  }
}
