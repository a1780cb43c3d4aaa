// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.demo;

import org.apache.hadoop.tools.TableListing;
import org.apache.hadoop.tools.TableListing.Justification;

/** Tables for people. */
public final class Tables {

  private Tables() {}

  /**
   * A table without rows.
   *
   * @param leftColumns how many of the columns are aligned to the left; the others, numbers, are
   *     aligned to the right
   */
  public static TableListing of(int leftColumns, String... names) {
    TableListing.Builder table = new TableListing.Builder();
    for (int i = 0; i < names.length; i++) {
      table.addField(names[i], i < leftColumns ? Justification.LEFT : Justification.RIGHT);
    }
    return table.build();
  }
}
