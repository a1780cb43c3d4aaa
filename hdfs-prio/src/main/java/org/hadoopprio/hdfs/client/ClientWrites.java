// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.role.WorkScope;

/**
 * The delegate of the hooks on the writes of an HDFS client. A file has the priority with which it
 * was opened for writing until it is closed. Thread-safe.
 *
 * <p>The thread that opens a file makes its streamer ({@link #streamerMade}); the streamer's own
 * thread, from {@link #streamerRuns} on, sends the operations.
 */
public final class ClientWrites {

  /** What each streamer states that states something. */
  private static final WeakConcurrentMap<Object, Hint> STREAMERS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private ClientWrites() {}

  /** The calling thread has opened a file of that client for writing. */
  public static void streamerMade(Object streamer, DFSClient client) {
    ClientDefaults entered = ClientReads.enter(client);
    try {
      Hint hint = ClientReads.hint().withoutTarget().patientFor(ClientReads.patienceMillis(client));
      if (!hint.saysNothing()) {
        STREAMERS.put(streamer, hint);
      }
    } finally {
      ClientReads.leave(entered);
    }
  }

  /**
   * The calling thread is the streamer's and begins to work.
   *
   * @return the value to pass to {@link WorkScope#close} when it ends, normally or with an
   *     exception
   */
  public static PriorityScope streamerRuns(Object streamer) {
    Hint hint = STREAMERS.getIfPresent(streamer);
    return hint == null ? null : hint.openScope();
  }
}
