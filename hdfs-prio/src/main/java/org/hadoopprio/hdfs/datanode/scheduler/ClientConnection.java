// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.net.SocketInputStream;
import org.hadoopprio.linux.DescriptorNumber;
import org.hadoopprio.linux.PeerState;
import org.hadoopprio.log.RateLimitedLog;
import org.hadoopprio.metrics.PriorityMetrics;
import org.slf4j.LoggerFactory;

/**
 * The connection of the client for which a thread reads: whoever waits looks whether it is closed,
 * so that a client that is gone is read for no more. Thread-safe.
 */
public final class ClientConnection {

  /** One of which nothing is known. Its client is never gone. */
  public static final ClientConnection UNKNOWN = new ClientConnection(null);

  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(ClientConnection.class));

  /** How often whoever waits looks. */
  static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final SocketChannel channel;
  private volatile boolean gone;

  private ClientConnection(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * The connection of a DataXceiver, below whatever encrypts it.
   *
   * @return {@link #UNKNOWN} if it is not one of NIO's sockets, as one of the file system
   */
  public static ClientConnection of(Peer peer) {
    ReadableByteChannel in = peer.getInputStreamChannel();
    if (in instanceof SocketInputStream) {
      in = ((SocketInputStream) in).getChannel();
    }
    return in instanceof SocketChannel ? new ClientConnection((SocketChannel) in) : UNKNOWN;
  }

  /** For how long somebody may wait at most before it looks again, of so many nanoseconds. */
  long untilLook(long nanos) {
    return channel == null ? nanos : Math.min(nanos, LOOK_NANOS);
  }

  /**
   * Finds out whether the client is gone. Waits for nothing, and takes nothing that it has sent.
   */
  void look() {
    if (channel == null || gone) {
      return;
    }
    try {
      gone = !channel.isOpen() || PeerState.isClosed(DescriptorNumber.of(channel));
    } catch (IllegalStateException | Error e) {
      // A LinkageError if JNA is missing; JNA throws a plain Error for a native library of another
      // version.
      PriorityMetrics.FAILED.increment();
      LOG.warn("Reads that wait do not end with their clients: " + e);
    }
  }

  /** Whether the client was gone when somebody looked last. Asks nobody. */
  public boolean isGone() {
    return gone;
  }
}
