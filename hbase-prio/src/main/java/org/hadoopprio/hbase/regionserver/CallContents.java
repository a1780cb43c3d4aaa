// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.hadoopprio.IoPriority;

/**
 * What a client has sent with a call that matters to each of its operations, looked up once: HBase
 * searches a request's attributes anew each time, and a batch may have many of both. Used by one
 * thread.
 */
final class CallContents {

  private final RpcCall call;
  private final byte[] request;
  private final byte[] connection;

  /** Null until it is asked for. */
  private Set<ByteString> wholeRows;

  /** Null until it is asked for. */
  private Set<String> families;

  /** The last one that was asked for. */
  private CallRequester requester;

  CallContents(RpcCall call) {
    this.call = call;
    this.request = call.getRequestAttribute(IoPriority.ATTRIBUTE);
    Map<String, byte[]> attributes = call.getConnectionAttributes();
    this.connection = attributes == null ? null : attributes.get(IoPriority.ATTRIBUTE);
  }

  RpcCall call() {
    return call;
  }

  /**
   * The call's sender for a thread that must not wait. The same one while the table is the same, so
   * that the policy is asked once.
   *
   * @param table null if it is not known
   */
  CallRequester requester(TablePriority table) {
    if (requester == null || requester.tablePriority() != table) {
      requester = CallRequester.withoutWait(this, table);
    }
    return requester;
  }

  /** The column families that the call is for; empty for all, and if that is not known. */
  Set<String> families() {
    if (families == null) {
      families = CallParameters.families(call.getParam());
    }
    return families;
  }

  /** It goes on with a scan of these, and names none. */
  void setFamilies(Set<String> ofScan) {
    families = ofScan;
  }

  /** The request's attribute; null if it has none. */
  byte[] request() {
    return request;
  }

  /** The connection's attribute; null if it has none. */
  byte[] connection() {
    return connection;
  }

  /**
   * Whether a row is that of a group of mutations that is done as a whole or on a condition. Such a
   * group is of one row. Asked for a batch only.
   */
  boolean isDoneAsAWhole(byte[] row) {
    if (wholeRows == null) {
      wholeRows = wholeRows(call.getParam());
    }
    return !wholeRows.isEmpty() && wholeRows.contains(ByteString.copyFrom(row));
  }

  private static Set<ByteString> wholeRows(Message parameter) {
    Set<ByteString> rows = new HashSet<>();
    for (RegionAction region : ((MultiRequest) parameter).getRegionActionList()) {
      if (region.getAtomic() || region.hasCondition()) {
        for (Action action : region.getActionList()) {
          if (action.hasMutation()) {
            rows.add(action.getMutation().getRow());
          }
        }
      }
    }
    return rows;
  }
}
