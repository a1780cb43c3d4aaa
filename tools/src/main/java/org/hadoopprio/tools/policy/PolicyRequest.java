// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.policy;

import java.util.Collection;
import java.util.List;
import org.hadoopprio.policy.Requester;

/** The sender of a request that is only supposed. Immutable. */
final class PolicyRequest implements Requester {

  private final String user;
  private final List<String> groups;
  private final String table;

  /**
   * Supposes a request.
   *
   * @param user null if the server knows none
   * @param table null for none
   */
  PolicyRequest(String user, List<String> groups, String table) {
    this.user = user;
    this.groups = List.copyOf(groups);
    // A RegionServer names tables of the default namespace without it.
    this.table = table == null ? null : table.replaceFirst("^default:", "");
  }

  @Override
  public String user() {
    return user;
  }

  @Override
  public Collection<String> groups() {
    return groups;
  }

  @Override
  public String table() {
    return table;
  }

  /** Whether the table is one of HBase's own. */
  boolean isSystemTable() {
    return table != null && table.startsWith("hbase:");
  }
}
