package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.agent.Hook;
import org.hadoopprio.hdfs.datanode.share.RealtimePackets;

/**
 * While others wait, a real-time read asks the readahead pool for nothing: what the pool reads is
 * in no packet's time. What has been sent is dropped from the cache by a later call, as before.
 */
final class BlockSenderReadaheadHook implements Hook {

  @Override
  public String name() {
    return "readahead-skip";
  }

  @Override
  public String typeName() {
    return BlockSenderPacketHook.TYPE;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("manageOsCache").and(takesNoArguments());
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(
        BlockSenderPacketHook.DATANODE,
        BlockSenderPacketHook.DATANODE_TYPE,
        BlockSenderPacketHook.REPLICA,
        BlockSenderPacketHook.REPLICA_TYPE);
  }

  @Override
  public Class<?> advice() {
    return BlockSenderReadaheadAdvice.class;
  }

  static final class BlockSenderReadaheadAdvice {
    private BlockSenderReadaheadAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(
        @Advice.FieldValue(BlockSenderPacketHook.DATANODE) DataNode dataNode,
        @Advice.FieldValue(BlockSenderPacketHook.REPLICA) ReplicaInputStreams replica) {
      return RealtimePackets.skipsReadahead(dataNode.getConf(), replica);
    }
  }
}
