package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.hbase.client.TableDescriptor;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;

/** What a table's descriptor says about priority. Immutable. */
final class TablePriority {

  private final TableDescriptor table;
  private final IoPriority priority;

  private TablePriority(TableDescriptor table, IoPriority priority) {
    this.table = table;
    this.priority = priority;
  }

  /** Reads a descriptor; a value that cannot be read counts as none and is reported. */
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

  /** Whether this was read from that very descriptor. */
  boolean isOf(TableDescriptor descriptor) {
    return table == descriptor;
  }

  /** The table's priority as its owner wrote it, or null. */
  IoPriority priority() {
    return priority;
  }

  /** Whether the RegionServer's default is meant for it. */
  boolean takesDefault() {
    return !table.getTableName().isSystemTable();
  }

  String tableName() {
    return table.getTableName().getNameAsString();
  }
}
