// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.named;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.IoPriority;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.Hook;
import org.hadoopprio.hdfs.client.ClientReads;

/** The checksum of a file is asked for. Binds the client's default priority. */
final class FileChecksumHook implements Hook {

  @Override
  public String name() {
    return "file-checksum";
  }

  @Override
  public String typeName() {
    return HadoopTypes.DFS_CLIENT;
  }

  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return named("getFileChecksumInternal");
  }

  @Override
  public Class<?> advice() {
    return FileChecksumAdvice.class;
  }

  static final class FileChecksumAdvice {
    private FileChecksumAdvice() {}

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
