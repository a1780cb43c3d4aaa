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

/** A packet of a block has been written to the block's file. */
final class WrittenPacketHook extends HookBase {

  WrittenPacketHook() {
    super("written-packet", HadoopTypes.BLOCK_RECEIVER);
  }

  private static final String STREAMS = "streams";

  /** It is called after each packet; Hadoop 3.4 has a second parameter. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("manageWriterOsCache").and(takesArgument(0, long.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(STREAMS, HadoopTypes.REPLICA_OUTPUT_STREAMS);
  }

  static final class WrittenPacketAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(STREAMS) ReplicaOutputStreams streams,
        @Advice.Argument(0) long offsetInBlock) {
      DataNodeWrites.written(streams.getOutFd(), offsetInBlock);
    }
  }
}
