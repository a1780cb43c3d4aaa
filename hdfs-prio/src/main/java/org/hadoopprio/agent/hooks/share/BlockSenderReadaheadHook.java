package org.hadoopprio.agent.hooks.share;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.share.RealtimePackets;

/**
 * Keeps a real-time read from using the readahead pool while other reads wait, because the time of
 * the pool's reads is in no packet's time. A later call still drops data that has been sent from
 * the page cache.
 */
final class BlockSenderReadaheadHook implements Hook {

  @Override
  public String name() {
    return "readahead-skip";
  }

  @Override
  public String typeName() {
    return HadoopTypes.BLOCK_SENDER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("manageOsCache").and(takesNoArguments());
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(
        HadoopTypes.BLOCK_SENDER_DATANODE,
        HadoopTypes.DATANODE,
        HadoopTypes.BLOCK_SENDER_REPLICA,
        HadoopTypes.REPLICA_INPUT_STREAMS);
  }

  @Override
  public Class<?> advice() {
    return BlockSenderReadaheadAdvice.class;
  }

  static final class BlockSenderReadaheadAdvice {
    private BlockSenderReadaheadAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = Advice.OnNonDefaultValue.class)
    static boolean enter(
        @Advice.FieldValue(HadoopTypes.BLOCK_SENDER_DATANODE) DataNode dataNode,
        @Advice.FieldValue(HadoopTypes.BLOCK_SENDER_REPLICA) ReplicaInputStreams replica) {
      return RealtimePackets.skipsReadahead(dataNode.getConf(), replica);
    }
  }
}
