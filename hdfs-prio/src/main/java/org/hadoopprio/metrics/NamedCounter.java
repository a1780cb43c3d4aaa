// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import java.util.concurrent.atomic.LongAdder;

/** A counter of the whole process, with its name and meaning in Hadoop's metrics. */
public final class NamedCounter extends LongAdder {

  private final String name;
  private final String description;
  private final long unit;

  /**
   * A counter.
   *
   * @param unit by what the count is divided where it is shown
   */
  NamedCounter(String name, String description, long unit) {
    this.name = name;
    this.description = description;
    this.unit = unit;
  }

  String name() {
    return name;
  }

  String description() {
    return description;
  }

  long shown() {
    return sum() / unit;
  }
}
