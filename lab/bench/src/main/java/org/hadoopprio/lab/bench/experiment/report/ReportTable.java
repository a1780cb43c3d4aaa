// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A table of a report. Not safe for use by several threads. */
public final class ReportTable {

  private final String title;
  private final List<String> columns;
  private final List<List<String>> rows = new ArrayList<>();

  /** A table without rows. */
  public ReportTable(String title, List<String> columns) {
    this.title = title;
    this.columns = List.copyOf(columns);
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has not one value per column
   */
  public ReportTable row(List<String> values) {
    if (values.size() != columns.size()) {
      throw new IllegalArgumentException(values + " is no row of " + columns);
    }
    rows.add(List.copyOf(values));
    return this;
  }

  public String title() {
    return title;
  }

  public List<String> columns() {
    return columns;
  }

  public List<List<String>> rows() {
    return Collections.unmodifiableList(rows);
  }
}
