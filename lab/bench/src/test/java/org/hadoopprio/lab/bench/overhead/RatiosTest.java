package org.hadoopprio.lab.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.junit.jupiter.api.Test;

class RatiosTest {

  private static final double EXACT = 1e-9;

  @Test
  void aDriftThatMeetsAllVariantsCancels() {
    Ratios ratios =
        new Rounds(ClientOperation.PREAD)
            .rate(Variant.STOCK, 1000, 2000, 4000)
            .rate(Variant.CONTROL, 1000, 2000, 4000)
            .rate(Variant.UNHINTED, 900, 1800, 3600)
            .rate(Variant.HINTED, 1000, 2000, 4000)
            .next()
            .rate(Variant.STOCK, 8000, 100)
            .rate(Variant.CONTROL, 8000, 100)
            .rate(Variant.UNHINTED, 7200, 90)
            .rate(Variant.HINTED, 8000, 100)
            .next()
            .ratios();
    Estimate ratio = ratios.throughput(Variant.UNHINTED);
    assertEquals(0.9, ratio.mean(), 1e-4, "whole operations only, hence not exact");
    assertEquals(0, ratio.halfWidth() * 100, 0.01);
    assertEquals(2, ratio.count());
  }

  @Test
  void othersAreComparedWithTheMeanOfBothStocksAndControlWithTheFirst() {
    Ratios ratios =
        new Rounds(ClientOperation.GET)
            .rate(Variant.STOCK, 1000)
            .rate(Variant.CONTROL, 4000)
            .rate(Variant.UNHINTED, 2000)
            .rate(Variant.HINTED, 1000)
            .next()
            .ratios();
    assertEquals(4, ratios.throughput(Variant.CONTROL).mean(), EXACT);
    assertEquals(1, ratios.throughput(Variant.UNHINTED).mean(), EXACT);
    assertEquals(0.5, ratios.throughput(Variant.HINTED).mean(), EXACT);
  }

  @Test
  void theIntervalIsOverRounds() {
    Rounds rounds = new Rounds(ClientOperation.PREAD);
    for (double rate : new double[] {980, 1020, 1000}) {
      rounds.rate(Variant.UNHINTED, rate, rate).next();
    }
    Estimate ratio = rounds.ratios().throughput(Variant.UNHINTED);
    // Student's t for 2 degrees of freedom is 4.303; the logarithms' deviation is 0.0200.
    assertEquals(4.303 * 0.0200 / Math.sqrt(3) * 100, ratio.halfWidth() * 100, 0.01);
    assertTrue(ratio.low() < 1 && 1 < ratio.high());
  }

  @Test
  void cpuTimeIsThatOfClientAndDaemonPerUnit() {
    Ratios ratios =
        new Rounds(ClientOperation.PREAD)
            .cpu(Variant.HINTED, Rounds.CPU_S + 3e-6)
            .hint(2e-6)
            .next()
            .ratios();
    assertEquals(1.03, ratios.cpu(Variant.HINTED).mean(), EXACT);
    assertEquals(2e-6, ratios.hintCpu().mean(), 1e-12);
    assertEquals(60e-6, ratios.daemonCpu(Variant.STOCK).mean(), 1e-12);
    assertEquals(40e-6, ratios.clientCpu(Variant.STOCK).mean(), 1e-12);
  }

  @Test
  void streamsAreCountedInMebibytes() {
    Ratios ratios = new Rounds(ClientOperation.READ).rate(Variant.STOCK, 800, 1200).next().ratios();
    assertEquals(1000, ratios.rate(Variant.STOCK).mean(), EXACT);
  }

  @Test
  void aResultWithoutAVariantIsRefused() {
    CellResult whole = new Rounds(ClientOperation.PREAD).next().results().get(0);
    ((com.fasterxml.jackson.databind.node.ObjectNode) whole.measured().path("blocks"))
        .remove(Variant.UNHINTED.label());
    Ratios ratios = new Ratios(ClientOperation.PREAD::units, List.of(whole));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ratios.throughput(Variant.UNHINTED));
    assertEquals("pread_r1 has no blocks of no-hints", e.getMessage());
  }
}
