package org.hadoopprio.hdfs.datanode.share;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Simulates what the default share promises. */
class ShareSimulationTest {

  private static final int SCANS = 16;
  private static final double DEFAULT = ShareKeys.SHARE.defaultValue();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6, 8, 12, 16})
  void scansKeepAQuarterOfTheirRateAndRealtimeSlowsNoMoreThanItsShareImplies(int readers) {
    SimulatedDisk.Result stock = SimulatedDisk.stock(readers, SCANS);
    SimulatedDisk.Result alone = SimulatedDisk.limited(RealtimeShare.ALL, readers, 0);
    SimulatedDisk.Result limited = SimulatedDisk.limited(DEFAULT, readers, SCANS);
    // A closed loop that gets a part of the disk takes longer in proportion.
    assertTrue(
        limited.backgroundRate >= stock.backgroundRate / 4
            && limited.p95Millis <= alone.p95Millis / DEFAULT,
        () -> SimulatedDisk.table(readers, SCANS, 1.0, 0.8, 0.7, 0.6, DEFAULT));
  }

  @Test
  void withoutTheLimitScansStarve() {
    SimulatedDisk.Result stock = SimulatedDisk.stock(4, SCANS);
    SimulatedDisk.Result strict = SimulatedDisk.limited(RealtimeShare.ALL, 4, SCANS);
    assertTrue(strict.backgroundRate < stock.backgroundRate / 100, strict::toString);
  }
}
