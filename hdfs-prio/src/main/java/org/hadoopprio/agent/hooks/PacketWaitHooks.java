// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.agent.hooks;

import static net.bytebuddy.matcher.ElementMatchers.isStatic;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;
import static org.hadoopprio.off.AgentModule.SCHEDULER;

import net.bytebuddy.asm.Advice;
import org.hadoopprio.hdfs.datanode.scheduler.ScheduledReads;

/** Where a packet's thread waits for something other than the disk. */
public final class PacketWaitHooks extends TypeHooks {

  /** Waits until a socket is ready. */
  public static final String SELECTOR_POOL =
      "org.apache.hadoop.net.SocketIOWithTimeout$SelectorPool";

  /** What is sent through a domain socket. */
  private static final String DOMAIN_OUTPUT_STREAM =
      "org.apache.hadoop.net.unix.DomainSocket$DomainOutputStream";

  /** Limits the bandwidth of a transfer. */
  public static final String DATA_TRANSFER_THROTTLER =
      "org.apache.hadoop.hdfs.util.DataTransferThrottler";

  public PacketWaitHooks() {
    in(SELECTOR_POOL);
    hook(SCHEDULER, "socket-wait", named("select").and(isStatic()), "Wait");
    in(DOMAIN_OUTPUT_STREAM);
    // The other one writes a single byte.
    hook(SCHEDULER, "domain-socket-write", named("write").and(takesArguments(3)), "Wait");
    in(DATA_TRANSFER_THROTTLER);
    // The overload that the other one, with one parameter, calls.
    hook(SCHEDULER, "throttler-wait", named("throttle").and(takesArguments(2)), "Throttle");
  }

  /**
   * Excludes the wait for a slow client from the time of a packet. Through a domain socket
   * (dfs.client.domain.socket.data.traffic) the write waits in the kernel. The packet has been read
   * by then, because sendfile is for TCP only.
   */
  static final class Wait {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static Object enter() {
      return ScheduledReads.suspend();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter Object suspended) {
      ScheduledReads.resume(suspended);
    }
  }

  /**
   * Excludes the sleep of reads with a bandwidth limit (block scanner, balancer; from Hadoop 3.4
   * all, if the operator says so) from the time of a packet.
   *
   * <p>All of them share a throttler, and this method has its monitor: nothing waits for a turn
   * here. It is the last that {@code BlockSender.sendPacket} calls, and so the next packet asks.
   */
  static final class Throttle {
    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter() {
      ScheduledReads.leave();
    }
  }
}
