// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.isSynthetic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.DATANODE;
import static org.hadoopprio.off.AgentModule.SCHEDULER;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.hdfs.datanode.DataNodeReads;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;

/** Reads ahead of streams, on threads of its own. */
public final class ReadaheadPoolHooks extends TypeHooks {

  public static final String READAHEAD_POOL = "org.apache.hadoop.io.ReadaheadPool";

  /** Private in the pool, so its objects are {@code Object} here. */
  public static final String READAHEAD_REQUEST =
      "org.apache.hadoop.io.ReadaheadPool$ReadaheadRequestImpl";

  public ReadaheadPoolHooks() {
    in(READAHEAD_POOL);
    hook(SCHEDULER, "readahead-length", named("readaheadStream").and(takesArguments(6)), "Length");
    in(READAHEAD_REQUEST);
    // Code compiled for Java 8 accesses a private class through a synthetic constructor.
    hook(DATANODE, "readahead-request", isConstructor().and(not(isSynthetic())), "Request");
    hook(DATANODE, "readahead-run", named("run").and(takesNoArguments()), "Run");
  }

  /**
   * Keeps a read from using the readahead pool while others use the disk: the pool would read
   * outside of the read's turn. With a length of 0 the pool reads nothing ahead.
   */
  static final class Length {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(value = 3, readOnly = false) long length) {
      length = ScheduledReads.readaheadBytes(length);
    }
  }

  /**
   * With libhadoop the readahead pool issues most bytes of a streaming read, so this hook records
   * for each request to the pool the priority of the read that made it.
   */
  static final class Request {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object request) {
      DataNodeReads.readaheadMade(request);
    }
  }

  /**
   * Gives a thread of the readahead pool the priority of each request. It is set at every start and
   * not restored at the end: a pool thread inherits the priority of the thread that made the pool
   * grow, so every request must set its own.
   */
  static final class Run {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object request) {
      DataNodeReads.readaheadRuns(request);
    }
  }
}
