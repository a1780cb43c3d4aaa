// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.delegate.LockedReads;
import org.hadoopprio.metrics.PriorityMetrics;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.PolicyMode;

/**
 * Determines the priority of an operation. The first source that states one decides: operation
 * attribute, request attribute, connection attribute, table, the policy's rule, RegionServer
 * default. The policy may then lower it.
 *
 * <p>A malformed hint counts as not stated, so the next source decides. An explicit {@code none} is
 * a statement. What is not stated is lowered, too, for those who may have less than normal only.
 * Immutable.
 */
final class PriorityResolver {

  private final PriorityPolicy policy;

  PriorityResolver(PriorityPolicy policy) {
    this.policy = policy;
  }

  /**
   * Resolves one operation, reports hints that are not followed, and takes a slot in the caps for
   * the current call.
   *
   * @param call the operation's call
   * @param attribute the operation's own attribute, or null
   * @param table the operation's table, or null if it is not known
   * @return the priority, or null if no source states one
   * @throws DoNotRetryIOException if the client asks for more than is granted and the policy
   *     rejects that; while the RegionServer only observes, the rejection is counted and the
   *     priority is null, as it is if the decision needs groups that are not known, which counts as
   *     nothing else
   */
  IoPriority resolve(RpcCall call, byte[] attribute, TablePriority table)
      throws DoNotRetryIOException {
    CallRequester requester = new CallRequester(call, table);
    Asked asked = asked(attribute, requester, true);
    if (asked == null) {
      return resolveUnstated(requester);
    }
    Decision decision = decision(asked, requester);
    noteGroups(requester);
    if (requester.isUndecided()) {
      return HandlerCall.notePreset(null);
    }
    count(asked, decision);
    if (decision.isTooMuch() && isReported(asked, table)) {
      if (decision.mode() == PolicyMode.REJECT && isRejectable(asked, table)) {
        ServerAudit.rejected(call, asked.priority, requester, decision);
        DoNotRetryIOException rejected =
            HintProblems.rejected(asked.source, call, asked.priority, decision);
        if (OffSwitch.isObserving()) {
          return HandlerCall.notePreset(null);
        }
        throw rejected;
      }
      HintProblems.clamped(asked.source, call, asked.priority, decision);
    }
    return admit(call, asked, requester, decision);
  }

  private static void count(Asked asked, Decision decision) {
    boolean isNone = asked.priority.isNone();
    if (asked.source.isOfCaller() && !isNone) {
      PriorityMetrics.ASKED.increment();
    }
    boolean isLowered = isNone && decision.isLowered() && !decision.isWithoutGroups();
    if (asked.source == PrioritySource.RULE || isLowered) {
      PriorityMetrics.RULED.increment();
    }
  }

  /** To be called when the decision has been made, which asks for groups or does not. */
  private static void noteGroups(CallRequester requester) {
    if (requester.isWithoutGroups() && !requester.isLookedUp()) {
      HandlerCall.noteWithoutGroups();
    }
  }

  private static IoPriority admit(
      RpcCall call, Asked asked, CallRequester requester, Decision decision) {
    IoPriority granted = forTable(HandlerCall.admit(decision), requester.tablePriority());
    boolean isOwnLookUp = decision.isTooMuch() && !isReported(asked, requester.tablePriority());
    if (!asked.priority.isNone() && !isOwnLookUp) {
      ServerAudit.served(call, asked.priority, granted, requester, decision);
    }
    return granted;
  }

  /**
   * The priority of an operation for which no source states one, in the current call; null for
   * none.
   */
  IoPriority resolveUnstated(CallRequester requester) {
    Decision lowered = lowered(requester);
    noteGroups(requester);
    if (lowered == null || requester.isUndecided()) {
      return HandlerCall.notePreset(preset(requester.tablePriority()));
    }
    if (!lowered.isWithoutGroups()) {
      PriorityMetrics.RULED.increment();
    }
    return HandlerCall.admit(lowered);
  }

  /**
   * The policy's decision about an operation for which no source states a priority, if it is served
   * at less than the operator's preset, or than normal, because of who sends it; else null. HBase's
   * own tables stay at normal, because nobody can work without them.
   */
  private Decision lowered(CallRequester requester) {
    TablePriority table = requester.tablePriority();
    IoPriority preset = preset(table);
    IoPriority unstated = preset == null ? IoPriority.NONE : preset;
    if (isSystemTable(table) || !policy.mayLower(unstated)) {
      requester.forgetDecision();
      return null;
    }
    Decision decision = requester.decision(policy, unstated);
    return decision.isLowered() ? decision : null;
  }

  /** A table's value is set by its owner; the reader has not asked for it and is not rejected. */
  private static boolean isRejectable(Asked asked, TablePriority table) {
    return asked.source.isOfCaller() && !isSystemTable(table);
  }

  /**
   * What a connection asks for all its requests also arrives with the look-ups in hbase:meta that
   * the client's library does by itself.
   */
  private static boolean isReported(Asked asked, TablePriority table) {
    boolean ofRequest =
        asked.source == PrioritySource.OPERATION || asked.source == PrioritySource.REQUEST;
    return ofRequest || !isSystemTable(table);
  }

  /** HBase's own tables are read at normal at least: others wait for what is read there. */
  private static IoPriority forTable(IoPriority granted, TablePriority table) {
    return isSystemTable(table) ? LockedReads.raised(granted) : granted;
  }

  private static boolean isSystemTable(TablePriority table) {
    return table != null && !table.isUserTable();
  }

  /**
   * Like {@link #resolve}, but without reports and caps, for an operation that will be resolved
   * again.
   */
  IoPriority peek(byte[] attribute, CallRequester requester) {
    Asked asked = asked(attribute, requester);
    return asked == null ? unstated(requester) : allowed(asked, requester);
  }

  /** Like {@link #resolveUnstated}, but for an operation that will be resolved again. */
  IoPriority unstated(CallRequester requester) {
    Decision lowered = lowered(requester);
    if (requester.isUndecided()) {
      return null;
    }
    return lowered == null ? preset(requester.tablePriority()) : lowered.allowed();
  }

  /**
   * The policy's decision about what an operation states; null if no source states anything and the
   * policy does not lower that.
   */
  Decision decision(byte[] attribute, CallRequester requester) {
    return decision(asked(attribute, requester), requester);
  }

  /** The same about what was asked for; null for nothing. */
  Decision decision(Asked asked, CallRequester requester) {
    return asked == null ? lowered(requester) : requester.decision(policy, asked.priority);
  }

  /** The policy's decision about an operation at idle. */
  Decision idle(CallRequester requester) {
    return requester.decision(policy, IoPriority.IDLE);
  }

  /** Whether calls at idle may have to wait for a place in a cap. */
  boolean capsIdle() {
    return policy.capsIdle();
  }

  /**
   * The priority that the policy allows to what was asked for; null if its decision needs groups
   * that are not known yet, unless the request is for less than normal, which nobody is denied.
   */
  IoPriority allowed(Asked asked, CallRequester requester) {
    IoPriority allowed = forTable(decision(asked, requester).allowed(), requester.tablePriority());
    if (!requester.isUndecided()) {
      return allowed;
    }
    IoPriority most = forTable(asked.priority, requester.tablePriority());
    return LockedReads.isBelowNormal(most) ? most : null;
  }

  /**
   * Decides anew about what an earlier call asked for, and takes a slot in the caps for the current
   * one. A call is never rejected for what was granted before: it is served at what the policy
   * allows now.
   *
   * @param granted what the last call was granted; only another decision is reported
   */
  IoPriority grantAgain(CallRequester requester, Asked asked, IoPriority granted) {
    RpcCall call = requester.contents().call();
    TablePriority table = requester.tablePriority();
    Decision decision = decision(asked, requester);
    noteGroups(requester);
    if (requester.isUndecided()) {
      return HandlerCall.notePreset(null);
    }
    if (decision.isTooMuch() && !decision.allowed().equals(granted) && isReported(asked, table)) {
      HintProblems.clamped(asked.source, call, asked.priority, decision);
    }
    return admit(call, asked, requester, decision);
  }

  /** What the sources state, unreported; null if none does. */
  Asked asked(byte[] attribute, CallRequester requester) {
    return asked(attribute, requester, false);
  }

  /** The priority of operations for which no source states one; null if there is none. */
  IoPriority preset(TablePriority table) {
    return table != null && table.isUserTable() ? policy.defaultPriority() : null;
  }

  /** The priority of the first source that states one; null if none does. */
  private Asked asked(byte[] attribute, CallRequester requester, boolean report) {
    CallContents contents = requester.contents();
    RpcCall call = contents.call();
    IoPriority ofOperation = parse(PrioritySource.OPERATION, call, attribute, report);
    if (ofOperation != null) {
      return new Asked(PrioritySource.OPERATION, ofOperation);
    }
    IoPriority ofRequest = parse(PrioritySource.REQUEST, call, contents.request(), report);
    if (ofRequest != null) {
      return new Asked(PrioritySource.REQUEST, ofRequest);
    }
    IoPriority ofConnection = parse(PrioritySource.CONNECTION, call, contents.connection(), report);
    if (ofConnection != null) {
      return new Asked(PrioritySource.CONNECTION, ofConnection);
    }
    TablePriority table = requester.tablePriority();
    IoPriority ofTable = table == null ? null : table.priority();
    return ofTable == null ? given(requester) : new Asked(PrioritySource.TABLE, ofTable);
  }

  private Asked given(CallRequester requester) {
    TablePriority table = requester.tablePriority();
    boolean isUserTable = table != null && table.isUserTable();
    IoPriority given = isUserTable ? policy.given(requester) : null;
    return given == null ? null : new Asked(PrioritySource.RULE, given);
  }

  /** The name of the tenant for which the operation counts. */
  String tenant(CallRequester requester) {
    String tenant = policy.tenant(requester);
    return isSystemTable(requester.tablePriority()) ? policy.raised(tenant) : tenant;
  }

  /** For whom that counts what is done under a lock. */
  String raised(String tenant) {
    return policy.raised(tenant);
  }

  boolean hasTenants() {
    return policy.hasTenants();
  }

  /** A priority and the source that states it. Immutable. */
  static final class Asked {
    private final PrioritySource source;
    private final IoPriority priority;

    Asked(PrioritySource source, IoPriority priority) {
      this.source = source;
      this.priority = priority;
    }

    IoPriority priority() {
      return priority;
    }
  }

  private static IoPriority parse(
      PrioritySource source, RpcCall call, byte[] text, boolean report) {
    if (text == null) {
      return null;
    }
    try {
      return IoPriority.parse(text);
    } catch (IllegalArgumentException e) {
      if (report) {
        HintProblems.malformed(source, call, e.getMessage());
      }
      return null;
    }
  }
}
