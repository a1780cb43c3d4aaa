// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.HDFS_CLIENT;
import static org.hadoopprio.off.AgentModule.LATE_READS;

import java.io.IOException;
import java.net.InetSocketAddress;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.shortcircuit.DomainSocketFactory;
import org.hadoopprio.hdfs.client.ClientReads;
import org.hadoopprio.hdfs.client.LateReads;
import org.hadoopprio.hdfs.client.ShortCircuitReads;

/** The factory of block readers, and the reader that asks a DataNode when it is made. */
public final class BlockReaderFactoryHooks extends TypeHooks {

  public static final String BLOCK_READER_FACTORY =
      "org.apache.hadoop.hdfs.client.impl.BlockReaderFactory";

  public static final String BLOCK_READER_REMOTE =
      "org.apache.hadoop.hdfs.client.impl.BlockReaderRemote";

  public BlockReaderFactoryHooks() {
    in(BLOCK_READER_FACTORY);
    hook(
        HDFS_CLIENT,
        "short-circuit-open",
        named("getBlockReaderLocal").and(takesNoArguments()),
        "ShortCircuitOpen");
    hook(
        LATE_READS,
        "late-answer",
        named("isSecurityException").and(takesArguments(1)),
        "LateAnswer");
    in(BLOCK_READER_REMOTE);
    hook(LATE_READS, "ask-node", named("newBlockReader"), "AskNode");
  }

  /**
   * Opens a replica for short-circuit reads, when the calling thread reads the header of the
   * checksum file, and remembers which DataNode has it. Threads that the replica cache starts
   * meanwhile inherit the priority, but they only use sockets.
   */
  static final class ShortCircuitOpen {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static int enter(@Advice.FieldValue("inetSocketAddress") InetSocketAddress dataNode) {
      return ShortCircuitReads.opens(dataNode);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter int applied,
        @Advice.Return BlockReader reader,
        @Advice.FieldValue("inetSocketAddress") InetSocketAddress dataNode,
        @Advice.FieldValue("pathInfo") DomainSocketFactory.PathInfo path,
        @Advice.FieldValue("block") ExtendedBlock block,
        @Advice.FieldValue("clientName") String clientName) {
      ClientReads.restoreLocal(applied);
      ShortCircuitReads.opened(reader, dataNode, path, block, clientName);
    }
  }

  /**
   * The factory has failed to make a reader, and decides whether it tries the same DataNode again
   * on another connection: not if that has said that it would be late.
   */
  static final class LateAnswer {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Argument(0) IOException failure, @Advice.Return(readOnly = false) boolean giveUp) {
      giveUp = giveUp || LateReads.isLate(failure);
    }
  }

  /** A block reader sends its operation, and waits for the answer. */
  static final class AskNode {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(
        @Advice.Argument(7) Peer peer, @Advice.Argument(12) Configuration configuration)
        throws IOException {
      LateReads.ask(peer, configuration);
    }
  }
}
