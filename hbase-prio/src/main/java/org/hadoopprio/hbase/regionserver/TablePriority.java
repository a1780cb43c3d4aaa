// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.hbase.client.TableDescriptor;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;

/** The priority in a table's descriptor. Immutable. */
final class TablePriority {

  private final TableDescriptor table;
  private final IoPriority priority;

  private TablePriority(TableDescriptor table, IoPriority priority) {
    this.table = table;
    this.priority = priority;
  }

  /** Reads a descriptor; a malformed value is reported and counts as not stated. */
  static TablePriority of(TableDescriptor table) {
    IoPriority priority = null;
    try {
      priority = IoPriorities.get(table);
    } catch (IllegalArgumentException e) {
      HintProblems.malformed(
          PrioritySource.TABLE, null, "table " + table.getTableName() + ": " + e.getMessage());
    }
    return new TablePriority(table, priority);
  }

  /** Whether this was read from the given descriptor object. */
  boolean isOf(TableDescriptor descriptor) {
    return table == descriptor;
  }

  /** The table's priority as its owner wrote it, or null. */
  IoPriority priority() {
    return priority;
  }

  /**
   * Whether the table is a user's, not one of HBase's own: those have no default, and no request to
   * them is rejected, as clients cannot work without them.
   */
  boolean isUserTable() {
    return !table.getTableName().isSystemTable();
  }

  String tableName() {
    return table.getTableName().getNameAsString();
  }
}
