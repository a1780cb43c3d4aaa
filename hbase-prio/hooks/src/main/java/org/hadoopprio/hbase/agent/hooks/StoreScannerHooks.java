// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesNoArguments;
import static org.hadoopprio.off.AgentModule.REGIONSERVER;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.agent.hooks.TypeHooks;
import org.hadoopprio.hbase.delegate.ServedCalls;
import org.hadoopprio.hdfs.client.CarriedWork;
import org.hadoopprio.role.WorkScope;

/** A scan's scanner over the store files of a column family. */
public final class StoreScannerHooks extends TypeHooks {

  private static final String REGIONSERVERS = "org.apache.hadoop.hbase.regionserver.";

  public StoreScannerHooks() {
    in(REGIONSERVERS + "StoreScanner");
    hook(
        REGIONSERVER,
        "switch-to-stream",
        named("trySwitchToStreamRead").and(takesNoArguments()),
        "SwitchToStream");
    // Seeks in a store file for a scanner, on a thread of a pool.
    in(REGIONSERVERS + "handler.ParallelSeekHandler");
    hook(REGIONSERVER, "seek-made", isConstructor(), "SeekMade");
    hook(REGIONSERVER, "seek-runs", named("process").and(takesNoArguments()), "SeekRuns");
  }

  /**
   * A long scan changes from positioned reads to a stream. The handler that has served the scan's
   * call does it when the response is ready and no call is current any more; it opens the store
   * files anew and reads a block of each.
   */
  static final class SwitchToStream {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter() {
      return ServedCalls.openScan();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }

  /**
   * A scanner is going to seek in a store file on a thread of a pool
   * (hbase.storescanner.parallel.seek.enable), which serves no call.
   */
  static final class SeekMade {
    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object seek) {
      CarriedWork.made(seek);
    }
  }

  /** The thread of the pool seeks, at the priority of the call for which it does. */
  static final class SeekRuns {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static PriorityScope enter(@Advice.This Object seek) {
      return CarriedWork.runs(seek);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter PriorityScope scope) {
      WorkScope.close(scope);
    }
  }
}
