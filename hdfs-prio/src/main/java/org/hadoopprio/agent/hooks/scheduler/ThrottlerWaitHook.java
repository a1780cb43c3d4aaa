// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks.scheduler;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.agent.hooks.HadoopTypes;
import org.hadoopprio.agent.hooks.HookBase;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;

/**
 * Excludes the sleep of reads with a bandwidth limit (block scanner, balancer; from Hadoop 3.4 all,
 * if the operator says so) from the time of a packet.
 *
 * <p>All of them share a throttler, and this method has its monitor: nothing waits for a turn here.
 * It is the last that {@code BlockSender.sendPacket} calls, and so the next packet asks.
 */
final class ThrottlerWaitHook extends HookBase {

  /** The overload that the other one, with one parameter, calls. */
  ThrottlerWaitHook() {
    super(
        "throttler-wait",
        HadoopTypes.DATA_TRANSFER_THROTTLER,
        named("throttle").and(takesArguments(2)));
  }

  static final class ThrottlerWaitAdvice {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter() {
      ScheduledReads.leave();
    }
  }
}
