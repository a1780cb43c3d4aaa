package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.io.IOException;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.hdfs.datanode.engine.EngineReads;

/**
 * Where a block is read for a client. Not {@code FsDatasetSpi.getBlockInputStream}: that serves
 * short-circuit reads and checksums of blocks too, and knows neither the volume nor where the read
 * ends.
 */
final class SendBlockHook implements Hook {

  private static final String OF_REPLICA = "replica";
  private static final String PROVIDER = "fileIoProvider";
  private static final String END = "endOffset";

  @Override
  public String name() {
    return "send-block";
  }

  @Override
  public String typeName() {
    return BlockSenderPacketHook.TYPE;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("sendBlock");
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(
        BlockSenderPacketHook.REPLICA,
        BlockSenderPacketHook.REPLICA_TYPE,
        OF_REPLICA,
        "org.apache.hadoop.hdfs.server.datanode.Replica",
        PROVIDER,
        "org.apache.hadoop.hdfs.server.datanode.FileIoProvider",
        END,
        "long");
  }

  @Override
  public Class<?> advice() {
    return SendBlockAdvice.class;
  }

  static final class SendBlockAdvice {
    private SendBlockAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(OF_REPLICA) Replica replica,
        @Advice.FieldValue(value = BlockSenderPacketHook.REPLICA, readOnly = false)
            ReplicaInputStreams streams,
        @Advice.FieldValue(PROVIDER) FileIoProvider provider,
        @Advice.FieldValue(END) long end)
        throws IOException {
      streams = EngineReads.streams(replica, streams, provider, end);
    }
  }
}
