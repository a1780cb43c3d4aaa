// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.datanode;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isSynthetic;
import static net.bytebuddy.matcher.ElementMatchers.not;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.DataNodeReads;

/**
 * With libhadoop the readahead pool issues most bytes of a streaming read, so this hook records for
 * each request to the pool the priority of the read that made it.
 */
final class ReadaheadRequestHook extends HookBase {

  /**
   * Excludes the synthetic constructor through which code compiled for Java 8 accesses a private
   * class.
   */
  ReadaheadRequestHook() {
    super(
        "readahead-request",
        HadoopTypes.READAHEAD_REQUEST,
        isConstructor().and(not(isSynthetic())));
  }

  static final class ReadaheadRequestAdvice {
    // Object, because the class of the request is private in ReadaheadPool.
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object request) {
      DataNodeReads.readaheadMade(request);
    }
  }
}
