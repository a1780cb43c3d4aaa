// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;

import java.io.OutputStream;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.DataNodeRequest;
import org.hadoopprio.hdfs.datanode.scheduler.ClientGoneException;
import org.hadoopprio.hdfs.wire.RefusedReadException;

/**
 * A DataXceiver begins a read, and ends it; {@link CheckAccessHook} is between. A read that is
 * refused because it would be late ends as one that is answered: the connection stays in use. So
 * does one whose client is gone.
 */
final class DataXceiverReadHook extends HookBase {

  DataXceiverReadHook() {
    super("read-block", HadoopTypes.DATA_XCEIVER);
  }

  private static final String CLIENT_STREAM = "socketOut";
  private static final String PEER = "peer";

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("readBlock")
        .and(takesArgument(0, ExtendedBlock.class))
        .and(takesArgument(1, Token.class))
        .and(takesArgument(2, String.class))
        .and(takesArgument(3, long.class))
        .and(takesArgument(4, long.class))
        .and(takesArgument(5, boolean.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(
        HadoopTypes.DATA_XCEIVER_DATANODE,
        HadoopTypes.DATANODE,
        CLIENT_STREAM,
        "java.io.OutputStream",
        PEER,
        "org.apache.hadoop.hdfs.net.Peer");
  }

  static final class DataXceiverReadAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.FieldValue(HadoopTypes.DATA_XCEIVER_DATANODE) DataNode dataNode,
        @Advice.FieldValue(PEER) Peer peer,
        @Advice.Argument(0) ExtendedBlock block,
        @Advice.Argument(2) String clientName,
        @Advice.Argument(3) long offset,
        @Advice.Argument(4) long length,
        @Advice.Argument(5) boolean checksums) {
      DataNodeReads.readBegins(
          clientName, offset, length, checksums, DataNodeRequest.isTokenChecked(dataNode, block));
      // After that: what fails here must not fail the read.
      DataNodeReads.readComesBy(peer);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.FieldValue(CLIENT_STREAM) OutputStream out,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      if (failure instanceof RefusedReadException) {
        failure = DataNodeReads.refuse((RefusedReadException) failure, out);
      } else if (failure instanceof ClientGoneException) {
        failure = DataNodeReads.clientGone(out);
      }
      DataNodeReads.finishRead();
    }
  }
}
