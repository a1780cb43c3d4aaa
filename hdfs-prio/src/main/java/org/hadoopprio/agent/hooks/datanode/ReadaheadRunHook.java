// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/**
 * Gives a thread of the readahead pool the priority of each request. It is set at every start and
 * not restored at the end: a pool thread inherits the priority of the thread that made the pool
 * grow, so every request must set its own.
 */
final class ReadaheadRunHook extends HookBase {

  ReadaheadRunHook() {
    super("readahead-run", HadoopTypes.READAHEAD_REQUEST, named("run").and(takesNoArguments()));
  }

  static final class ReadaheadRunAdvice {
    // Object, because the class of the request is private in ReadaheadPool.
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object request) {
      DataNodeReads.readaheadRuns(request);
    }
  }
}
