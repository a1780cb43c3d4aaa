// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.lang.ref.WeakReference;
import java.util.Set;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
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
 * <p>It is decided for the scan's own table and for who sends the call, so that nobody takes what
 * is somebody else's with the id of his scanner. What the later calls state, and which region they
 * name, does not count.
 *
 * <p>Like the scan's scanner, it is used by one caller at a time; only {@link #peek}, {@link
 * #decision}, {@link #opened} and {@link #closed} may be called by any thread.
 */
final class ScanPriority {

  private final PriorityResolver resolver;
  private final PriorityResolver.Asked asked;
  private final TablePriority table;

  /** The column families that it reads; empty for all. */
  private final Set<String> families;

  /** Who has opened it; null if that is not known. */
  private final User owner;

  private WeakReference<RpcCall> call;
  private IoPriority granted;

  /** That of its scanner; 0 until it is known. */
  private long scannerId;

  private boolean closed;

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
    this.owner = call.getRequestUser().orElse(null);
    this.families = HandlerCall.contentsOf(call).families();
    this.call = new WeakReference<>(call);
    this.granted = granted;
  }

  /** Whether a user is the one who has opened the scan; true if that is not known. */
  boolean isOwner(User user) {
    return owner == null || owner.getShortName().equals(user.getShortName());
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
        HandlerCall.isServed();
      } catch (RuntimeException | LinkageError e) {
        HintProblems.failed(e);
      }
      // Whatever the call states, and whichever region it names, it is for this scan.
      HandlerCall.setNote(new CallPriorityProvider.Note(current, this, table, granted));
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
    CallContents contents = HandlerCall.contentsOf(current);
    contents.setFamilies(families);
    CallRequester requester = new CallRequester(contents, table);
    return asked == null
        ? resolver.resolveUnstated(requester)
        : resolver.grantAgain(requester, asked, granted);
  }

  /** The scan's scanner has that id now. */
  synchronized void opened(long id) {
    if (!closed && scannerId == 0) {
      scannerId = id;
      ScannerPriorities.opened(id, this);
    }
  }

  /** The scan's scanner is closed. */
  synchronized void closed() {
    closed = true;
    if (scannerId != 0) {
      ScannerPriorities.closed(scannerId);
    }
  }

  /**
   * What the policy decides about the scan now; null if no source states a priority and the policy
   * does not lower that.
   */
  Decision decision(CallContents contents) {
    return resolver.decision(asked, requester(contents));
  }

  private CallRequester requester(CallContents contents) {
    contents.setFamilies(families);
    return contents.requester(table);
  }

  /**
   * What the scan would be granted in a call that waits for a handler; null if that is not known
   * yet.
   */
  IoPriority peek(CallContents contents) {
    CallRequester requester = requester(contents);
    return asked == null ? resolver.unstated(requester) : resolver.allowed(asked, requester);
  }
}
