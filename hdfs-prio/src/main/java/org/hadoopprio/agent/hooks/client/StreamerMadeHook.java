// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isPrivate;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientWrites;

/**
 * A file is opened for writing: its streamer, which sends the data on a thread of its own, keeps
 * the priority of the thread that opens the file.
 */
final class StreamerMadeHook extends HookBase {

  /**
   * The constructor that all others call is the private one. A name and not a class literal: this
   * matcher is also used while DFSClient is being loaded.
   */
  StreamerMadeHook() {
    super(
        "streamer-made",
        HadoopTypes.DATA_STREAMER,
        isConstructor().and(isPrivate()).and(takesArgument(2, named(HadoopTypes.DFS_CLIENT))));
  }

  static final class StreamerMadeAdvice {
    // Object, because DataStreamer is private to its package.
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object streamer, @Advice.Argument(2) DFSClient client) {
      ClientWrites.streamerMade(streamer, client);
    }
  }
}
