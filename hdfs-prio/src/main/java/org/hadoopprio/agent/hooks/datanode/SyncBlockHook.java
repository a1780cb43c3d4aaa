// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/** A sync of a block's files, for a client that waits for it, begins and ends. */
final class SyncBlockHook extends HookBase {

  SyncBlockHook() {
    super("sync-block", HadoopTypes.BLOCK_RECEIVER);
  }

  private static final String STREAMS = "streams";

  /** It is called after each packet, mostly without a sync. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("flushOrSync").and(takesArgument(0, boolean.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(STREAMS, HadoopTypes.REPLICA_OUTPUT_STREAMS);
  }

  static final class SyncBlockAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(STREAMS) ReplicaOutputStreams streams,
        @Advice.Argument(0) boolean isSync) {
      if (isSync) {
        DataNodeWrites.syncBegins(streams.getOutFd());
      }
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Argument(0) boolean isSync) {
      if (isSync) {
        DataNodeWrites.syncEnds();
      }
    }
  }
}
