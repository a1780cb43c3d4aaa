package org.hadoopprio.hbase.regionserver;

import org.hadoopprio.hbase.client.IoPriorities;

/** Where a client or a table's owner stated a priority. */
enum PrioritySource {
  OPERATION("operation attribute " + IoPriorities.ATTRIBUTE),
  REQUEST("request attribute " + IoPriorities.ATTRIBUTE),
  CONNECTION("connection attribute " + IoPriorities.ATTRIBUTE),
  TABLE("table value " + IoPriorities.TABLE_VALUE);

  private final String description;

  PrioritySource(String description) {
    this.description = description;
  }

  /** What a log line calls it. */
  @Override
  public String toString() {
    return description;
  }
}
