// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.disktime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RealtimeShareTest {

  private static final double CONFIGURED = 0.65;

  @ParameterizedTest
  @CsvSource({"0, 16", "16, 0", "1, 1", "1, 4", "1, 16", "16, 16"})
  void itIsTheConfiguredOneBesideAsManyOthersOrMore(int realtime, int others) {
    assertEquals(CONFIGURED, RealtimeShare.of(CONFIGURED, realtime, others), 1e-9);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 16, 24, 32, 64, 112, 128, 1000})
  void realtimeHasMoreThanWithoutPrioritiesAndOthersKeepTheirPart(int realtime) {
    for (int others : new int[] {1, 4, 16, 64}) {
      double part = realtime / ((double) realtime + others);
      double share = RealtimeShare.of(CONFIGURED, realtime, others);
      assertTrue(
          (share > part || share > 0.979) && share >= CONFIGURED && share < 0.981,
          realtime + ": " + share);
      double left = Math.min(1 - CONFIGURED, RealtimeShare.KEPT * (1 - part));
      assertTrue(1 - share >= left - 1e-9, realtime + ": " + share);
    }
  }

  @Test
  void aShareOfAllStaysOne() {
    assertEquals(1, RealtimeShare.of(1, 1, 1000));
  }

  /** With 8 MiB a stream of stock HDFS asks for 4 MiB at once, and has as much more of the disk. */
  @Test
  void streamsThatTheKernelReadsFarAheadOfKeepMoreOfTheDisk() {
    double streams = 16 * DiskCosts.requestNanos(RealtimeShare.sequentialBytes(8 << 20));
    double reads = 96 * DiskCosts.requestNanos(RealtimeShare.RANDOM_BYTES);
    double share = RealtimeShare.of(CONFIGURED, reads, streams);
    double part = reads / (reads + streams);
    assertTrue(part > 0.4 && part < 0.6, "part " + part);
    assertTrue(share > part + 0.1 && share < 0.75, "share " + share);
  }
}
