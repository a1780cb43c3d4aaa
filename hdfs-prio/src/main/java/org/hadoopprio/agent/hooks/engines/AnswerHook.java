// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.engines;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.wire.RefusedReadException;

/**
 * The last that DataXceiver asks a BlockSender before it answers the client: where its data begins
 * ({@code writeSuccessWithChecksumInfo}). Nothing else asks that. Reads ahead what may fail, and
 * throws {@link RefusedReadException} in place of the answer.
 */
final class AnswerHook extends HookBase {

  AnswerHook() {
    super("answer", HadoopTypes.BLOCK_SENDER, named("getOffset").and(takesNoArguments()));
  }

  @Override
  public Map<String, String> fields() {
    return SendBlockHook.FIELDS;
  }

  static final class AnswerAdvice {
    // Its exception is for DataXceiver, so it is not suppressed; DataNodeReads throws no other.
    @Advice.OnMethodEnter
    static void enter(
        @Advice.FieldValue(SendBlockHook.OF_REPLICA) Replica replica,
        @Advice.FieldValue(value = HadoopTypes.BLOCK_SENDER_REPLICA, readOnly = false)
            ReplicaInputStreams streams,
        @Advice.FieldValue(SendBlockHook.PROVIDER) FileIoProvider provider,
        @Advice.FieldValue(SendBlockHook.OFFSET) long offset,
        @Advice.FieldValue(SendBlockHook.END) long end)
        throws RefusedReadException {
      ReplicaInputStreams answering =
          DataNodeReads.answering(replica, streams, provider, offset, end);
      if (answering == null) {
        throw new RefusedReadException("The drive gave up on the read for its duration limit");
      }
      streams = answering;
    }
  }
}
