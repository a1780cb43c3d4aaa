// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.lang.ref.WeakReference;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.hadoopprio.IoPriority;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.Decision;

/**
 * The priority of a scan from its opening to its end.
 *
 * <p>What the scan asks for is settled when it is opened. What it is granted is decided anew at
 * each of its calls: each counts in the caps like a Get, and a policy that has changed applies from
 * the next call on.
 *
 * <p>Like the scan's scanner, it is used by one caller at a time; only {@link #peek} may be called
 * by any thread.
 */
final class ScanPriority {

  private final PriorityResolver resolver;
  private final PriorityResolver.Asked asked;
  private final TablePriority table;
  private WeakReference<RpcCall> call;
  private IoPriority granted;

  /**
   * Describes a scan that the given call opens.
   *
   * @param asked null if no source states a priority
   * @param granted what the opening call was granted; null for nothing
   */
  ScanPriority(
      PriorityResolver resolver,
      PriorityResolver.Asked asked,
      TablePriority table,
      RpcCall call,
      IoPriority granted) {
    this.resolver = resolver;
    this.asked = asked;
    this.table = table;
    this.call = new WeakReference<>(call);
    this.granted = granted;
  }

  /**
   * The priority of what the scan reads in the calling thread's current call, with what is left of
   * its target; null if it states none and the policy does not lower it any more.
   */
  IoPriority inCall() {
    if (OffSwitch.isOff(AgentModule.REGIONSERVER)) {
      return IoPriority.NONE;
    }
    RpcCall current = RpcServer.getCurrentCall().orElse(null);
    if (current != null && call.get() != current) {
      call = new WeakReference<>(current);
      try {
        granted = grant(current);
      } catch (RuntimeException | LinkageError e) {
        HintProblems.failed(e);
      }
    }
    if (OffSwitch.isObserving()) {
      return IoPriority.NONE;
    }
    HandlerCall.noteScan(granted);
    if (current == null || granted == null || !granted.hasTarget()) {
      return granted;
    }
    HandlerCall.beginContainer(current, table);
    return CallPriorityProvider.left(current, granted);
  }

  private IoPriority grant(RpcCall current) {
    return asked == null
        ? resolver.resolveUnstated(new CallRequester(current, table))
        : resolver.grantAgain(current, asked, table, granted);
  }

  TablePriority table() {
    return table;
  }

  /** What the policy decides about the scan now; null if no source states a priority. */
  Decision decision(CallRequester requester) {
    return asked == null ? null : resolver.decision(asked, requester);
  }

  /**
   * What the scan would be granted in a call that waits for a handler; null if that is not known
   * yet.
   */
  IoPriority peek(CallRequester requester) {
    return asked == null ? resolver.unstated(requester) : resolver.allowed(asked, requester);
  }
}
