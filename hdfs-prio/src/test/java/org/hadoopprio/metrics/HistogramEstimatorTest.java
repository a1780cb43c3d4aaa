// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.apache.hadoop.metrics2.lib.MutableQuantiles;
import org.apache.hadoop.metrics2.util.Quantile;
import org.apache.hadoop.metrics2.util.SampleQuantiles;
import org.junit.jupiter.api.Test;

class HistogramEstimatorTest {

  private static final int VALUES = 10_000;

  private final HistogramEstimator estimator = new HistogramEstimator();

  @Test
  void quantilesAreThoseOfHadoopsEstimator() {
    SampleQuantiles hadoops = new SampleQuantiles(MutableQuantiles.QUANTILES);
    for (int i = 0; i < VALUES; i++) {
      // All values in mixed order: the factor is coprime to their number.
      long value = 100 + (long) i * 7919 % VALUES;
      estimator.insert(value);
      hadoops.insert(value);
    }
    assertEquals(VALUES, estimator.getCount());
    Map<Quantile, Long> expected = hadoops.snapshot();
    Map<Quantile, Long> values = estimator.snapshot();
    assertEquals(expected.keySet(), values.keySet());
    expected.forEach(
        (quantile, value) ->
            // Hadoop's own estimator may err by the error of its quantile.
            assertEquals(
                value, values.get(quantile), (quantile.error + 0.01) * VALUES, quantile::toString));
  }

  @Test
  void withoutValuesThereIsNoSnapshot() {
    assertNull(estimator.snapshot());
    estimator.insert(1);
    estimator.clear();
    assertEquals(0, estimator.getCount());
    assertNull(estimator.snapshot());
  }

  @Test
  void aValueOutOfRangeCountsAsTheNearest() {
    estimator.insert(-1);
    assertEquals(0, estimator.snapshot().get(MutableQuantiles.QUANTILES[0]));
    estimator.clear();
    estimator.insert(Long.MAX_VALUE);
    assertEquals(
        (double) HistogramEstimator.MAX_MICROS,
        estimator.snapshot().get(MutableQuantiles.QUANTILES[0]),
        HistogramEstimator.MAX_MICROS / 100.0);
  }
}
