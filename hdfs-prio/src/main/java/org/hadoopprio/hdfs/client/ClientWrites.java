package org.hadoopprio.hdfs.client;

import com.blogspot.mydailyjava.weaklockfree.WeakConcurrentMap;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;

/**
 * The delegate of the hooks on the writes of an HDFS client. A file has the priority with which it
 * was opened for writing until it is closed. Thread-safe.
 *
 * <p>The thread that opens a file makes its streamer ({@link #streamerMade}); the streamer's own
 * thread, between {@link #streamerRuns} and {@link #streamerEnded}, sends the operations.
 */
public final class ClientWrites {

  /** The priority of each streamer that has one. */
  private static final WeakConcurrentMap<Object, IoPriority> STREAMERS =
      new WeakConcurrentMap.WithInlinedExpunction<>();

  private ClientWrites() {}

  /** The calling thread has opened a file of that client for writing. */
  public static void streamerMade(Object streamer, DFSClient client) {
    IoPriority entered = ClientReads.enter(client);
    try {
      IoPriority p = ClientReads.stated();
      if (p != null) {
        STREAMERS.put(streamer, p);
      }
    } finally {
      ClientReads.leave(entered);
    }
  }

  /**
   * The calling thread is the streamer's and begins to work.
   *
   * @return the value to pass to {@link #streamerEnded}
   */
  public static PriorityScope streamerRuns(Object streamer) {
    IoPriority p = STREAMERS.getIfPresent(streamer);
    return p == null ? null : PriorityScope.open(p);
  }

  /** The streamer's thread ends, normally or with an exception. */
  public static void streamerEnded(PriorityScope scope) {
    if (scope != null) {
      scope.close();
    }
  }
}
