// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.client;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.takesArgument;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.client.ClientReads;

/** Reads the default priority from the configuration with which a DFSClient is created. */
final class ClientDefaultHook extends HookBase {

  ClientDefaultHook() {
    super("client-default", HadoopTypes.DFS_CLIENT);
  }

  /** The constructor that all others call; no other has four parameters. */
  @Override
  public ElementMatcher<? super MethodDescription> methods() {
    return isConstructor().and(takesArguments(4)).and(takesArgument(2, Configuration.class));
  }

  static final class ClientDefaultAdvice {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This DFSClient client, @Advice.Argument(2) Configuration conf) {
      ClientReads.created(client, conf);
    }
  }
}
