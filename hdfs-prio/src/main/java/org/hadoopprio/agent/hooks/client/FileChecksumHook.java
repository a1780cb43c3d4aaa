// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.IoPriority;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/** The checksum of a file is asked for. Binds the client's default priority. */
final class FileChecksumHook extends HookBase {

  FileChecksumHook() {
    super("file-checksum", HadoopTypes.DFS_CLIENT, named("getFileChecksumInternal"));
  }

  static final class FileChecksumAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static IoPriority enter(@Advice.This DFSClient client) {
      return ClientReads.enter(client);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter IoPriority entered) {
      ClientReads.leave(entered);
    }
  }
}
