// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import org.hadoopprio.lab.bench.experiment.Estimate;

/**
 * Where a published number is measured on the device.
 *
 * @param pointer below {@code jobs}, such as {@code /all/p99_ms}
 */
record Measure(Map<String, String> factors, String pointer) {
  /** Its mean; empty where it was not measured, or is a percentile of too few reads. */
  OptionalDouble mean(DeviceResults results) {
    return results.isKnown(factors, pointer)
        ? results.mean(factors, pointer)
        : OptionalDouble.empty();
  }

  /** What an operator makes of it in each repetition; empty as {@link #mean}. */
  Optional<Estimate> estimate(DeviceResults results, DoubleUnaryOperator operator) {
    return results.isKnown(factors, pointer)
        ? results.estimate(factors, pointer, operator)
        : Optional.empty();
  }
}
