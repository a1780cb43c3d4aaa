// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.shortcircuit.DomainSocketFactory;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;
import org.hadoopprio.hdfs.client.ShortCircuitReads;

/**
 * Opens a replica for short-circuit reads, when the calling thread reads the header of the checksum
 * file, and remembers which DataNode has it. Threads that the replica cache starts meanwhile
 * inherit the priority, but they only use sockets.
 */
final class ShortCircuitOpenHook extends HookBase {

  ShortCircuitOpenHook() {
    super(
        "short-circuit-open",
        HadoopTypes.BLOCK_READER_FACTORY,
        named("getBlockReaderLocal").and(takesNoArguments()));
  }

  private static final String PATH_INFO = "pathInfo";
  private static final String BLOCK = "block";
  private static final String CLIENT_NAME = "clientName";

  @Override
  public Map<String, String> fields() {
    return Map.of(
        PATH_INFO,
        HadoopTypes.DOMAIN_SOCKET_PATH_INFO,
        BLOCK,
        HadoopTypes.EXTENDED_BLOCK,
        CLIENT_NAME,
        "java.lang.String");
  }

  static final class ShortCircuitOpenAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static int enter() {
      return ClientReads.applyLocal();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter int applied,
        @Advice.Return BlockReader reader,
        @Advice.FieldValue(PATH_INFO) DomainSocketFactory.PathInfo path,
        @Advice.FieldValue(BLOCK) ExtendedBlock block,
        @Advice.FieldValue(CLIENT_NAME) String clientName) {
      ClientReads.restoreLocal(applied);
      ShortCircuitReads.opened(reader, path, block, clientName);
    }
  }
}
