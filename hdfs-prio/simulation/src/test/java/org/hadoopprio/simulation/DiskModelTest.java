// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.hadoopprio.disktime.DiskSettings;
import org.hadoopprio.disktime.ServiceTimes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is stated or measured about a disk, and what the simulated disk then does. */
class DiskModelTest {

  private static DiskModel.Builder disk() {
    return new DiskModel.Builder();
  }

  private static void assertNear(double expected, double actual, double part, String what) {
    assertEquals(expected, actual, part * expected, what);
  }

  /** At a read in ten seconds, each has the disk alone. */
  @ParameterizedTest
  @CsvSource({"8.9, 2.8", "12, 1", "15, 9", "40, 40"})
  void aReadTakesAsLongAsWasStated(double mean, double deviation) {
    DiskModel model = disk().read(mean).deviation(deviation).build();
    DiskSimulation simulation = new DiskSimulation(DiskSettings.DEFAULT, model);
    ShortReader reader = Stated.open(simulation, "rt:0", 0.1);
    simulation.run(60_000);
    double sum = 0;
    double squares = 0;
    for (long nanos : reader.latencies) {
      sum += nanos / 1e6;
      squares += nanos / 1e6 * (nanos / 1e6);
    }
    double found = sum / reader.answered();
    assertNear(mean, found, 0.05, "mean");
    double variance = squares / reader.answered() - found * found;
    assertNear(deviation, Math.sqrt(variance), 0.1, "deviation");
    ServiceTimes times = simulation.serviceTimes();
    // Of the latest 256 only.
    assertNear(mean, times.getReadMicros() / 1e3, 0.2, "measured mean");
    assertNear(deviation, times.getReadDeviationMicros() / 1e3, 0.5, "measured deviation");
    assertEquals(0, times.getTurns());
  }

  /** What a DataNode would measure on the disk leads back to the disk. */
  @ParameterizedTest
  @CsvSource({"9, 160, 18, 16", "14, 220, 18, 4", "14, 220, 60, 16", "9, 160, 5, 2"})
  void theMeasuredDiskIsTheDisk(double mean, double rate, double reads, int streams) {
    DiskModel model = disk().read(mean).streams(rate).build();
    DiskSimulation simulation = new DiskSimulation(DiskSettings.DEFAULT, model);
    Stated.open(simulation, "rt:0", reads);
    for (int i = 0; i < streams; i++) {
      Stated.stream(simulation, "none");
    }
    DiskModel measured = disk().measured(simulation.run(300).serviceTimes()).build();
    assertNear(mean, measured.readMillis(), 0.15, "mean");
    assertNear(rate, measured.megabytesPerSecond(), 0.1, "rate");
  }

  @Test
  void whatIsStatedGoesBeforeWhatWasMeasured() {
    ServiceTimes times = new ServiceTimes(100, 12_000, 3_000, 0, 100, 60_000, 8_000_000);
    DiskModel measured = disk().measured(times).build();
    assertEquals(12, measured.readMillis());
    assertEquals(3, measured.deviationMillis());
    // Without its begin, which costs what a read does without its transfer.
    assertNear((8e6 - (56 << 10)) / 48e3, measured.megabytesPerSecond(), 1e-3, "rate");
    assertEquals(200, disk().measured(times).turnOverhead(20).build().megabytesPerSecond(), 1e-9);
    DiskModel stated = disk().measured(times).read(10).deviation(1).streams(99).build();
    assertEquals(10, stated.readMillis());
    assertEquals(1, stated.deviationMillis());
    assertEquals(99, stated.megabytesPerSecond(), 1e-9);
  }

  @Test
  void fewSamplesTellNothing() {
    assertFalse(
        disk().measured(new ServiceTimes(29, 9_000, 1, 0, 29, 60_000, 8_000_000)).knowsReads());
    assertFalse(
        disk().measured(new ServiceTimes(30, 9_000, 1, 0, 29, 60_000, 8_000_000)).knowsStreams());
    // Most of such turns is a seek.
    assertFalse(
        disk().measured(new ServiceTimes(30, 9_000, 1, 0, 30, 15_000, 2_000_000)).knowsStreams());
    assertTrue(
        disk().measured(new ServiceTimes(30, 9_000, 1, 0, 30, 60_000, 8_000_000)).knowsStreams());
    assertThrows(IllegalArgumentException.class, () -> disk().build());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 160, a read's mean is 0.0 ms; allowed: 0.5 to 1000.0",
    "NaN, 160, a read's mean is NaN ms; allowed: 0.5 to 1000.0",
    "9, 0.5, the streams' rate is 0.5 MB/s; allowed: 1.0 to 10000.0",
    "9, 5, 'takes 11.5 ms at 5.0 MB/s without any seek'"
  })
  void noDiskIsLikeThat(double mean, double rate, String message) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> disk().read(mean).streams(rate).build());
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void theBeginOfATurnCostsWhatWasStated() {
    double cheap = streams(disk().read(9).turnOverhead(1).build());
    double dear = streams(disk().read(9).turnOverhead(30).build());
    assertTrue(cheap > 1.3 * dear, cheap + " against " + dear + " MB/s");
  }

  private static double streams(DiskModel model) {
    DiskSimulation simulation = new DiskSimulation(DiskSettings.DEFAULT, model);
    for (int i = 0; i < 16; i++) {
      Stated.stream(simulation, "none");
    }
    simulation.run(60);
    return simulation.readers.stream().mapToDouble(Reader::megabytesPerSecond).sum();
  }

  @Test
  void moreReadsAreSlowerAndLeaveStreamsLessUntilTheyAreTooMany() {
    double p99 = 0;
    double streams = Double.MAX_VALUE;
    for (int rate : new int[] {5, 20, 40, 60}) {
      DiskSimulation simulation = new DiskSimulation(DiskSettings.DEFAULT, disk().read(9).build());
      ShortReader reads = Stated.open(simulation, "rt:0", rate);
      StreamReader stream = Stated.stream(simulation, "none");
      simulation.run(300);
      assertFalse(simulation.isOverloaded(), rate + " reads a second");
      assertTrue(reads.millis(0.99) > p99, rate + "/s: " + reads.millis(0.99) + " after " + p99);
      assertTrue(stream.megabytesPerSecond() < streams, rate + " reads a second");
      p99 = reads.millis(0.99);
      streams = stream.megabytesPerSecond();
    }
    for (int rate : new int[] {400, 5000}) {
      DiskSimulation simulation = new DiskSimulation(DiskSettings.DEFAULT, disk().read(9).build());
      Stated.open(simulation, "rt:0", rate);
      Stated.stream(simulation, "none");
      assertTrue(simulation.run(300).isOverloaded(), rate + " reads a second");
    }
  }

  @Test
  void readsThatAreHeldForLongAreNoOverload() {
    DiskSimulation simulation = new DiskSimulation(DiskSettings.DEFAULT, disk().read(9).build());
    Stated.open(simulation, "rt:0@60000ms", 20);
    Stated.stream(simulation, "none");
    assertFalse(simulation.run(600).isOverloaded());
  }

  @Test
  void readsFromThePageCacheTakeNoTime() {
    DiskSimulation simulation = new DiskSimulation(DiskSettings.DEFAULT, disk().read(9).build());
    ShortReader reads = Stated.open(simulation, "rt:0", 50).cached(0.9);
    simulation.run(300);
    assertEquals(0, reads.millis(0.85));
    assertTrue(reads.millis(0.95) > 5, () -> "p95 " + reads.millis(0.95));
  }
}
