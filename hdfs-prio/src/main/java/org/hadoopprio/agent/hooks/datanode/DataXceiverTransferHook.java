// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeRequest;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/**
 * A client goes on with a pipeline in which a DataNode has failed: it has this one send the replica
 * to a new one. {@link TransferMadeHook} is between begin and end.
 */
final class DataXceiverTransferHook extends HookBase {

  DataXceiverTransferHook() {
    super("transfer-block", HadoopTypes.DATA_XCEIVER);
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("transferBlock")
        .and(takesArgument(0, ExtendedBlock.class))
        .and(takesArgument(1, Token.class))
        .and(takesArgument(2, String.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(HadoopTypes.DATA_XCEIVER_DATANODE, HadoopTypes.DATANODE);
  }

  static final class DataXceiverTransferAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(HadoopTypes.DATA_XCEIVER_DATANODE) DataNode dataNode,
        @Advice.Argument(0) ExtendedBlock block,
        @Advice.Argument(2) String clientName) {
      DataNodeWrites.writeBegins(
          dataNode.getConf(), clientName, DataNodeRequest.isTokenChecked(dataNode, block));
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit() {
      DataNodeWrites.finishWrite();
    }
  }
}
