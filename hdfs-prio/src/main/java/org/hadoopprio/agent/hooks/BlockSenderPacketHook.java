package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.hdfs.datanode.share.RealtimePackets;

/** Each packet a DataNode reads and sends, whoever asked for it. */
final class BlockSenderPacketHook implements Hook {

  static final String TYPE = "org.apache.hadoop.hdfs.server.datanode.BlockSender";

  static final String DATANODE = "datanode";
  static final String DATANODE_TYPE = "org.apache.hadoop.hdfs.server.datanode.DataNode";
  static final String REPLICA = "ris";
  static final String REPLICA_TYPE =
      "org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams";

  private static final String NUMBER = "seqno";
  private static final String OFFSET = "offset";
  private static final String END = "endOffset";

  @Override
  public String name() {
    return "packet";
  }

  @Override
  public String typeName() {
    return TYPE;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("sendPacket");
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(
        DATANODE,
        DATANODE_TYPE,
        REPLICA,
        REPLICA_TYPE,
        NUMBER,
        "long",
        OFFSET,
        "long",
        END,
        "long");
  }

  @Override
  public Class<?> advice() {
    return BlockSenderPacketAdvice.class;
  }

  static final class BlockSenderPacketAdvice {
    private BlockSenderPacketAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static Object enter(
        @Advice.FieldValue(DATANODE) DataNode dataNode,
        @Advice.FieldValue(REPLICA) ReplicaInputStreams replica,
        @Advice.FieldValue(NUMBER) long number,
        @Advice.FieldValue(OFFSET) long offset,
        @Advice.FieldValue(END) long end) {
      return RealtimePackets.begin(dataNode.getConf(), replica, number, offset, end);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter Object begun) {
      RealtimePackets.end(begun);
    }
  }
}
