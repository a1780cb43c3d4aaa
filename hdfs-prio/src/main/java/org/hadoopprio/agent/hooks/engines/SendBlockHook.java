// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.engines;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.io.IOException;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/**
 * Hands the reading of a block for a client to an engine. {@code FsDatasetSpi.getBlockInputStream}
 * is not suitable: it also serves short-circuit reads and checksums of blocks, and has neither the
 * volume nor the end of the read.
 */
final class SendBlockHook extends HookBase {

  SendBlockHook() {
    super("send-block", HadoopTypes.BLOCK_SENDER, named("sendBlock"));
  }

  /** The fields of BlockSender that an engine needs. */
  static final String OF_REPLICA = "replica";

  static final String PROVIDER = "fileIoProvider";
  static final String OFFSET = "offset";
  static final String END = "endOffset";

  /** These fields with their types. */
  static final Map<String, String> FIELDS =
      Map.of(
          HadoopTypes.BLOCK_SENDER_REPLICA,
          HadoopTypes.REPLICA_INPUT_STREAMS,
          OF_REPLICA,
          HadoopTypes.REPLICA,
          PROVIDER,
          HadoopTypes.FILE_IO_PROVIDER,
          OFFSET,
          "long",
          END,
          "long");

  @Override
  public Map<String, String> fields() {
    return FIELDS;
  }

  static final class SendBlockAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(OF_REPLICA) Replica replica,
        @Advice.FieldValue(value = HadoopTypes.BLOCK_SENDER_REPLICA, readOnly = false)
            ReplicaInputStreams streams,
        @Advice.FieldValue(PROVIDER) FileIoProvider provider,
        @Advice.FieldValue(OFFSET) long offset,
        @Advice.FieldValue(END) long end)
        throws IOException {
      streams = DataNodeReads.streams(replica, streams, provider, offset, end);
    }
  }
}
