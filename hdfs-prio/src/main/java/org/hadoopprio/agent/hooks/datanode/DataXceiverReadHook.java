package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.scheduler.BlockRead;

/** Gives the DataXceiver's thread the priority of a read, from the first byte to the last. */
final class DataXceiverReadHook implements Hook {

  private static final String DATANODE = "datanode";
  private static final String REMOTE_ADDRESS = "remoteAddress";

  @Override
  public String name() {
    return "read-block";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DATA_XCEIVER;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("readBlock")
        .and(takesArgument(0, ExtendedBlock.class))
        .and(takesArgument(1, Token.class))
        .and(takesArgument(2, String.class))
        .and(takesArgument(3, long.class))
        .and(takesArgument(4, long.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(DATANODE, HadoopTypes.DATANODE, REMOTE_ADDRESS, "java.lang.String");
  }

  @Override
  public Class<?> advice() {
    return DataXceiverReadAdvice.class;
  }

  /**
   * A block pool is registered with the secret manager if the DataNode verifies the block tokens of
   * this pool.
   */
  static final class DataXceiverReadAdvice {
    private DataXceiverReadAdvice() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static Object enter(
        @Advice.FieldValue(DATANODE) DataNode dataNode,
        @Advice.Argument(0) ExtendedBlock block,
        @Advice.Argument(1) Token<BlockTokenIdentifier> token,
        @Advice.Argument(2) String clientName,
        @Advice.Argument(3) long offset,
        @Advice.Argument(4) long length,
        @Advice.FieldValue(REMOTE_ADDRESS) String peer) {
      return DataNodeReads.admitRead(
          dataNode.getConf(),
          BlockRead.of(dataNode, block, offset, length),
          token,
          dataNode.getBlockPoolTokenSecretManager().isBlockPoolRegistered(block.getBlockPoolId()),
          clientName,
          peer);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter Object admitted) {
      DataNodeReads.finishRead(admitted);
    }
  }
}
