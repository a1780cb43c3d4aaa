// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.util.function.LongSupplier;

/** A volume's clock: monotonic, in nanoseconds. Thread-safe. */
@FunctionalInterface
interface VolumeClock extends LongSupplier {

  /**
   * From now on somebody looks at it each second, or maybe nobody does.
   *
   * @param now whether somebody does
   */
  default void watched(boolean now) {}
}
