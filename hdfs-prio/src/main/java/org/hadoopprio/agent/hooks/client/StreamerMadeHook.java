// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isPrivate;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.client.ClientWrites;

/**
 * A file is opened for writing: its streamer, which sends the data on a thread of its own, keeps
 * the priority of the thread that opens the file.
 */
final class StreamerMadeHook implements Hook {

  @Override
  public String name() {
    return "streamer-made";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DATA_STREAMER;
  }

  /**
   * The constructor that all others call is the private one. A name and not a class literal: this
   * matcher is also used while DFSClient is being loaded.
   */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return isConstructor().and(isPrivate()).and(takesArgument(2, named(HadoopTypes.DFS_CLIENT)));
  }

  @Override
  public Class<?> advice() {
    return StreamerMadeAdvice.class;
  }

  static final class StreamerMadeAdvice {
    private StreamerMadeAdvice() {}

    // Object, because DataStreamer is private to its package.
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object streamer, @Advice.Argument(2) DFSClient client) {
      ClientWrites.streamerMade(streamer, client);
    }
  }
}
