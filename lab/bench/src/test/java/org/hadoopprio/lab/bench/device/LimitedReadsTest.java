// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitedReadsTest {

  @Test
  void eachShareHasTheDescriptorOfItsLimit() {
    assertEquals(
        List.of("--depth=4", "--share=0.1,be:4+1", "--share=0.2,be:4+2"),
        LimitedReads.TB22_TWO_QD4.options());
    assertEquals(
        Map.of("mode", "cdl", "cdl1_guideline_ns", "100ms", "cdl2_guideline_ns", "300ms"),
        LimitedReads.TB22_TWO_QD4.model());
    assertEquals(List.of("--depth=16"), LimitedReads.TB22_QD16.options());
    assertEquals(Map.of("mode", "cdl"), LimitedReads.TB22_QD16.model());
  }

  @Test
  void theNameLeadsBack() {
    assertEquals("cdltools23-qd32-20at50ms", LimitedReads.TB22_50_MS.id());
    for (LimitedReads reads : LimitedReads.values()) {
      assertEquals(reads, LimitedReads.of(reads.id()));
    }
    assertEquals(
        "no reads with limits are called sdc21-qd1",
        assertThrows(IllegalArgumentException.class, () -> LimitedReads.of("sdc21-qd1"))
            .getMessage());
  }

  @Test
  void aLimitThatNoReadHasIsAnError() {
    assertEquals(
        "no limit of 30 ms in cdltools23-qd32-20at50ms",
        assertThrows(
                IllegalArgumentException.class, () -> LimitedReads.TB22_50_MS.limited(30, "p99_ms"))
            .getMessage());
  }
}
