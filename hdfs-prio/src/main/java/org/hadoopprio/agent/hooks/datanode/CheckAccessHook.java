// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.DataNodeWrites;

/**
 * The client has shown that it may read or write the block: gives the DataXceiver's thread the
 * priority of a read, before the block's files are opened. Not before: a forged block token would
 * use up the rate of the user whom it names. Matched by the types of storage: the overload without
 * them calls this one, which compares the token's signature.
 */
final class CheckAccessHook extends HookBase {

  CheckAccessHook() {
    super("check-access", HadoopTypes.DATA_XCEIVER);
  }

  private static final String REMOTE_ADDRESS = "remoteAddress";

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("checkAccess")
        .and(takesArgument(2, ExtendedBlock.class))
        .and(takesArgument(3, Token.class))
        .and(takesArgument(6, StorageType[].class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(
        HadoopTypes.DATA_XCEIVER_DATANODE,
        HadoopTypes.DATANODE,
        REMOTE_ADDRESS,
        "java.lang.String");
  }

  static final class CheckAccessAdvice {
    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.FieldValue(HadoopTypes.DATA_XCEIVER_DATANODE) DataNode dataNode,
        @Advice.Argument(2) ExtendedBlock block,
        @Advice.Argument(3) Token<BlockTokenIdentifier> token,
        @Advice.FieldValue(REMOTE_ADDRESS) String peer,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      // A check that fails throws. A read that is refused ends as one that the client must not do.
      if (failure == null) {
        failure = DataNodeReads.accessChecked(dataNode, block, token, peer);
        DataNodeWrites.accessChecked(token, peer);
      }
    }
  }
}
