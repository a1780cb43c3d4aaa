// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.security.User;
import org.hadoopprio.IoPriority;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.Decision;
import org.hadoopprio.policy.KnownGroups;
import org.hadoopprio.policy.RequestKind;
import org.hadoopprio.policy.Requester;

/**
 * The sender of a call: with Kerberos an authenticated user, otherwise the name that the client
 * sent. Used by one thread.
 */
final class CallRequester implements Requester {

  private final CallContents contents;
  private final TablePriority table;

  /** Null if it is not known. */
  private final User sender;

  private final boolean mayWait;
  private Collection<String> groups;

  /** Whether the groups are not known. */
  private boolean unknown;

  private boolean lookedUp;

  /** Whether the last decision needed groups that are not known. */
  private boolean withoutGroups;

  /** The last one that was made; null before the first. */
  private Decision decision;

  /** About what. */
  private IoPriority decided;

  /**
   * Describes a call that a handler serves, which may wait a moment for the group mapping. While
   * the RegionServer only observes nobody waits.
   *
   * @param table null if it is not known
   */
  CallRequester(RpcCall call, TablePriority table) {
    this(HandlerCall.contentsOf(call), table);
  }

  /** The same of a call whose contents are known. */
  CallRequester(CallContents contents, TablePriority table) {
    this(contents, table, !OffSwitch.isObserving());
  }

  private CallRequester(CallContents contents, TablePriority table, boolean mayWait) {
    this.contents = contents;
    this.table = table;
    this.sender = contents.call().getRequestUser().orElse(null);
    this.mayWait = mayWait;
  }

  /**
   * Describes a call for a thread that must not wait.
   *
   * @param table null if it is not known
   */
  static CallRequester withoutWait(CallContents contents, TablePriority table) {
    return new CallRequester(contents, table, false);
  }

  /** The policy's decision about a priority; made once for one that is asked about again. */
  Decision decision(PriorityPolicy policy, IoPriority asked) {
    if (decision == null || !asked.equals(decided)) {
      withoutGroups = false;
      decision = policy.decide(asked, this);
      decided = asked;
    }
    return decision;
  }

  /** No decision is needed now: what the last one needed does not count any more. */
  void forgetDecision() {
    decision = null;
    withoutGroups = false;
  }

  /** What the call's client has sent with it. */
  CallContents contents() {
    return contents;
  }

  TablePriority tablePriority() {
    return table;
  }

  /**
   * Whether a decision needed groups that are not known yet, for a call that is not served by it;
   * then it means nothing.
   */
  boolean isUndecided() {
    return withoutGroups && !mayWait;
  }

  /** Whether they are being looked up, and one that may wait would wait for them. */
  boolean isLookedUp() {
    return lookedUp;
  }

  @Override
  public boolean isWithoutGroups() {
    return withoutGroups;
  }

  @Override
  public String user() {
    return sender == null ? null : sender.getShortName();
  }

  @Override
  public Collection<String> groups() {
    if (groups == null) {
      groups = sender == null ? List.of() : groupsOf(sender);
    }
    withoutGroups = unknown;
    return groups;
  }

  private Collection<String> groupsOf(User user) {
    KnownGroups known = KnownGroups.OF_PROCESS;
    Supplier<Collection<String>> mapping = () -> List.of(user.getGroupNames());
    // As HBase maps it; the same user of several hosts has several principals.
    String name = user.getShortName();
    Collection<String> names = mayWait ? known.await(name, mapping) : known.of(name, mapping);
    lookedUp = names == null;
    unknown = lookedUp || names.isEmpty();
    return unknown ? List.of() : names;
  }

  @Override
  public RequestKind kind() {
    return CallParameters.kind(contents.call().getParam());
  }

  @Override
  public Collection<String> families() {
    return contents.families();
  }

  @Override
  public String table() {
    return table == null ? null : table.tableName();
  }
}
