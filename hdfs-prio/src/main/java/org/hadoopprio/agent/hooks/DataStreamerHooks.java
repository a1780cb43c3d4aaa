// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isPrivate;
import static net.bytebuddy.matcher.ElementMatchers.namedOneOf;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.HDFS_CLIENT;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.client.ClientWrites;
import org.hadoopprio.role.WorkScope;

/** Sends the blocks of a file that is being written, on a thread of its own. */
public final class DataStreamerHooks extends TypeHooks {

  public static final String DATA_STREAMER = "org.apache.hadoop.hdfs.DataStreamer";

  public DataStreamerHooks() {
    in(DATA_STREAMER);
    // The constructor that all others call is the private one.
    hook(HDFS_CLIENT, "streamer-made", isConstructor().and(isPrivate()), "Made");
    // Hadoop 3.5 calls it work.
    hook(HDFS_CLIENT, "streamer-run", namedOneOf("run", "work").and(takesNoArguments()), "Run");
  }

  /**
   * A file is opened for writing: its streamer keeps the priority of the thread that opens the
   * file.
   */
  static final class Made {
    // Object, because DataStreamer is private to its package.
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object streamer, @Advice.Argument(2) DFSClient client) {
      ClientWrites.streamerMade(streamer, client);
    }
  }

  /** The thread of a streamer works at the priority with which its file was opened for writing. */
  static final class Run {
    // Object, because DataStreamer is private to its package.
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(@Advice.This Object streamer) {
      return ClientWrites.streamerRuns(streamer);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
