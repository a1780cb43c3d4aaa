// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.hadoopprio.off.AgentModule.DATANODE;

import java.io.InputStream;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.hadoopprio.hdfs.datanode.ParsedPriority;

/** The messages of the operations of the DataTransferProtocol that have a priority. */
public final class OperationHooks extends TypeHooks {

  private static final String MESSAGES =
      "org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos$";

  public static final String OP_READ_BLOCK = MESSAGES + "OpReadBlockProto";

  public OperationHooks() {
    parse("parse-read", OP_READ_BLOCK);
    parse("parse-write", MESSAGES + "OpWriteBlockProto");
    parse("parse-transfer", MESSAGES + "OpTransferBlockProto");
    parse("parse-block-checksum", MESSAGES + "OpBlockChecksumProto");
    parse("parse-group-checksum", MESSAGES + "OpBlockGroupChecksumProto");
  }

  /** There are overloads for other sources. */
  private void parse(String name, String message) {
    in(message);
    hook(
        DATANODE,
        name,
        named("parseFrom").and(isStatic()).and(takesArguments(InputStream.class)),
        "Parse");
  }

  /**
   * Reads the priority when the header of an operation is parsed, on the thread that will do the
   * operation.
   */
  static final class Parse {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return Message operation) {
      ParsedPriority.operationParsed(operation);
    }
  }
}
