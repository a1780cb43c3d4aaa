// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.policy;

import java.util.Collection;
import java.util.List;
import org.hadoopprio.policy.RequestKind;
import org.hadoopprio.policy.Requester;

/** The sender of a request that is only supposed. Immutable. */
final class PolicyRequest implements Requester {

  private final String user;
  private final List<String> groups;
  private final String table;
  private final List<String> families;
  private final RequestKind kind;
  private final Integer hour;

  /**
   * Supposes a request.
   *
   * @param user null if the server knows none
   * @param table null for none
   * @param families none for all, and for what has none
   * @param kind null for what no rule names
   * @param hour null for now
   */
  PolicyRequest(
      String user,
      List<String> groups,
      String table,
      List<String> families,
      RequestKind kind,
      Integer hour) {
    this.families = List.copyOf(families);
    this.kind = kind;
    this.hour = hour;
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

  @Override
  public Collection<String> families() {
    return families;
  }

  @Override
  public RequestKind kind() {
    return kind;
  }

  @Override
  public int hour() {
    return hour == null ? Requester.super.hour() : hour;
  }

  /** Whether the table is one of HBase's own. */
  boolean isSystemTable() {
    return table != null && table.startsWith("hbase:");
  }
}
