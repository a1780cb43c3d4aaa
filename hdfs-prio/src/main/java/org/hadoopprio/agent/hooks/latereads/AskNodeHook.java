// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.latereads;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.io.IOException;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.Peer;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.LateReads;

/** A block reader sends its operation, and waits for the answer. */
final class AskNodeHook extends HookBase {

  AskNodeHook() {
    super("ask-node", HadoopTypes.BLOCK_READER_REMOTE);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("newBlockReader")
        .and(takesArgument(7, Peer.class))
        .and(takesArgument(12, Configuration.class));
  }

  static final class AskNodeAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(7) Peer peer, @Advice.Argument(12) Configuration configuration)
        throws IOException {
      LateReads.ask(peer, configuration);
    }
  }
}
