// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.ycsb;

import java.util.Locale;

/** The operations of YCSB's {@link site.ycsb.DB}. */
enum Operation {
  READ,
  SCAN,
  INSERT,
  UPDATE,
  DELETE;

  /** The name in properties, such as {@code read} in {@code hbase.ioprio.read}. */
  String propertyName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
