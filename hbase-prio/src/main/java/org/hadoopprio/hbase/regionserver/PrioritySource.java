// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.client.IoPriorities;

/** The place where a client, a table's owner or the operator states a priority. */
enum PrioritySource {
  OPERATION("operation attribute " + IoPriority.ATTRIBUTE),
  REQUEST("request attribute " + IoPriority.ATTRIBUTE),
  CONNECTION("connection attribute " + IoPriority.ATTRIBUTE),
  TABLE("table value " + IoPriorities.TABLE_VALUE),
  RULE("default of the policy's rule");

  private final String description;

  PrioritySource(String description) {
    this.description = description;
  }

  /** Whether who calls has stated it. */
  boolean isOfCaller() {
    return this != TABLE && this != RULE;
  }

  /** The name for log lines. */
  @Override
  public String toString() {
    return description;
  }
}
