// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.security.User;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.policy.KnownGroups;
import org.hadoopprio.policy.Requester;

/**
 * The sender of a call: with Kerberos an authenticated user, otherwise the name that the client
 * sent. Used by one thread.
 */
final class CallRequester implements Requester {

  private final CallContents contents;
  private final TablePriority table;
  private final KnownGroups known;
  private Collection<String> groups;
  private boolean undecided;

  /**
   * Describes a call that a handler serves, which may wait for the group mapping. While the
   * RegionServer only observes nobody waits.
   *
   * @param table null if it is not known
   */
  CallRequester(RpcCall call, TablePriority table) {
    this(
        HandlerCall.contentsOf(call),
        table,
        OffSwitch.isObserving() ? KnownGroups.OF_PROCESS : null);
  }

  /**
   * Describes a call for a thread that must not wait.
   *
   * @param table null if it is not known
   * @param known the groups that are known without waiting
   */
  CallRequester(CallContents contents, TablePriority table, KnownGroups known) {
    this.contents = contents;
    this.table = table;
    this.known = known;
  }

  /** What the call's client has sent with it. */
  CallContents contents() {
    return contents;
  }

  TablePriority tablePriority() {
    return table;
  }

  /** Whether a decision needed groups that are not known yet; then it means nothing. */
  boolean isUndecided() {
    return undecided;
  }

  @Override
  public String user() {
    return contents.call().getRequestUser().map(User::getShortName).orElse(null);
  }

  @Override
  public Collection<String> groups() {
    if (groups == null) {
      groups = contents.call().getRequestUser().map(this::groupsOf).orElse(List.of());
    }
    return groups;
  }

  private Collection<String> groupsOf(User user) {
    if (known == null) {
      return Arrays.asList(user.getGroupNames());
    }
    Collection<String> names = known.of(user.getName(), () -> List.of(user.getGroupNames()));
    undecided = names == null;
    return undecided ? List.of() : names;
  }

  @Override
  public String table() {
    return table == null ? null : table.tableName();
  }
}
