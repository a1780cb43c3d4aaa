package org.hadoopprio.hbase.regionserver;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.security.User;
import org.hadoopprio.policy.Requester;

/**
 * The sender of a call: with Kerberos an authenticated user, otherwise the name that the client
 * sent. Used by one thread.
 */
final class CallRequester implements Requester {

  private final RpcCall call;
  private final TablePriority table;
  private Collection<String> groups;

  /**
   * Describes a call.
   *
   * @param table null if it is not known
   */
  CallRequester(RpcCall call, TablePriority table) {
    this.call = call;
    this.table = table;
  }

  @Override
  public String user() {
    return call.getRequestUser().map(User::getShortName).orElse(null);
  }

  @Override
  public Collection<String> groups() {
    if (groups == null) {
      groups = call.getRequestUser().map(u -> Arrays.asList(u.getGroupNames())).orElse(List.of());
    }
    return groups;
  }

  @Override
  public String table() {
    return table == null ? null : table.tableName();
  }
}
