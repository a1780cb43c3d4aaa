// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.returns;

import java.io.IOException;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;

/** Each packet that a DataNode reads and sends, at any priority. */
final class BlockSenderPacketHook extends HookBase {

  BlockSenderPacketHook() {
    super("packet", HadoopTypes.BLOCK_SENDER);
  }

  private static final String BLOCK = "block";
  private static final String NUMBER = "seqno";
  private static final String OFFSET = "offset";
  private static final String END = "endOffset";

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("sendPacket").and(returns(int.class));
  }

  @Override
  public Map<String, String> fields() {
    return Map.of(
        HadoopTypes.BLOCK_SENDER_DATANODE,
        HadoopTypes.DATANODE,
        HadoopTypes.BLOCK_SENDER_REPLICA,
        HadoopTypes.REPLICA_INPUT_STREAMS,
        BLOCK,
        HadoopTypes.EXTENDED_BLOCK,
        NUMBER,
        "long",
        OFFSET,
        "long",
        END,
        "long");
  }

  static final class BlockSenderPacketAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class, skipOn = IOException.class)
    static Object enter(
        @Advice.FieldValue(HadoopTypes.BLOCK_SENDER_DATANODE) DataNode dataNode,
        @Advice.FieldValue(HadoopTypes.BLOCK_SENDER_REPLICA) ReplicaInputStreams replica,
        @Advice.FieldValue(BLOCK) ExtendedBlock block,
        @Advice.FieldValue(NUMBER) long number,
        @Advice.FieldValue(OFFSET) long offset,
        @Advice.FieldValue(END) long end) {
      return ScheduledReads.packet(dataNode, block, replica, number, offset, end);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter Object packet,
        @Advice.FieldValue(OFFSET) long offset,
        @Advice.Return int bytes,
        @Advice.Thrown(readOnly = false) Throwable failure) {
      if (packet instanceof IOException) {
        failure = (IOException) packet;
      } else {
        ScheduledReads.packetDone(packet, offset, bytes);
      }
    }
  }
}
