package org.hadoopprio.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.hadoopprio.bench.experiment.Findings;
import org.hadoopprio.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class OverheadFindingsTest {

  private static Findings unhinted(double... rates) {
    Rounds rounds = new Rounds(Operation.PREAD);
    for (double rate : rates) {
      rounds.rate(Variant.UNHINTED, rate, rate).next();
    }
    return new OverheadFindings(rounds.results()).toFindings();
  }

  private static Findings unhintedCpu(double... microseconds) {
    Rounds rounds = new Rounds(Operation.PREAD);
    for (double extra : microseconds) {
      rounds.cpu(Variant.UNHINTED, Rounds.CPU_S + extra * 1e-6).next();
    }
    return new OverheadFindings(rounds.results()).toFindings();
  }

  private static Findings hint(double... microseconds) {
    Rounds rounds = new Rounds(Operation.PREAD);
    for (double extra : microseconds) {
      rounds.hint(extra * 1e-6).next();
    }
    return new OverheadFindings(rounds.results()).toFindings();
  }

  private static Target target(Findings findings, String... words) {
    return findings.targets().stream()
        .filter(target -> List.of(words).stream().allMatch(target.what()::contains))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRateThatIsLowForSureMisses() {
    Findings findings = unhinted(969, 970, 971, 970);
    assertTrue(target(findings, "pread", "rate").missed());
    assertFalse(findings.passed());
  }

  @Test
  void aRateThatIsGoodForSureMeets() {
    Findings findings = unhinted(998, 1001, 999, 1000);
    assertTrue(target(findings, "pread", "rate").met());
    assertTrue(findings.passed());
  }

  @Test
  void anIntervalAcrossTheBoundIsNoMissAndIsShown() {
    Findings findings = unhinted(940, 1020, 960, 1010);
    Target rate = target(findings, "pread", "rate");
    assertTrue(rate.met());
    assertTrue(rate.measured().getAsDouble() > 1, "the interval's upper end decides");
    assertTrue(rate.what().matches(".*0\\.98\\d\\d \\(0\\.9\\d+ to 1\\.0\\d+\\).*"), rate.what());
  }

  @Test
  void cpuTimeThatIsHighForSureMisses() {
    assertTrue(target(unhintedCpu(2.9, 3, 3.1), "pread", "no hints", "CPU").missed());
    assertTrue(target(unhintedCpu(0.4, 0.5, 0.6), "pread", "no hints", "CPU").met());
  }

  @Test
  void hintsMayCostThreeMicroseconds() {
    assertTrue(target(hint(2.8, 2.9, 2.7), "a hint adds").met());
    Target missed = target(hint(3.9, 4.1, 4), "a hint adds");
    assertTrue(missed.missed());
    assertEquals(3.75, missed.measured().getAsDouble(), 0.01);
  }

  @Test
  void oneRoundDecidesNothing() {
    Findings findings = unhinted(500);
    assertTrue(findings.targets().stream().allMatch(target -> target.measured().isEmpty()));
    assertTrue(findings.notes().stream().anyMatch(note -> note.contains("one round only")));
  }

  @Test
  void noiseBetweenStockAndStockIsSaid() {
    Rounds rounds = new Rounds(Operation.GET);
    for (double rate : new double[] {950, 1050, 1000}) {
      rounds.rate(Variant.CONTROL, rate).rate(Variant.STOCK, 1000);
      rounds.rate(Variant.UNHINTED, 1000).rate(Variant.HINTED, 1000).next();
    }
    Findings noisy = new OverheadFindings(rounds.results()).toFindings();
    assertTrue(
        noisy.notes().stream().anyMatch(n -> n.startsWith("HBase Get, rate: stock against")));
    assertFalse(noisy.notes().stream().anyMatch(n -> n.startsWith("HBase Get, CPU time: stock")));
  }

  @Test
  void figuresAndTablesHoldWhatWasMeasured() {
    Findings findings = unhinted(990, 990, 990);
    assertEquals(List.of("random pread"), findings.figures().get(0).categories());
    assertEquals("no hints", findings.figures().get(0).series().get(1).name());
    assertEquals(-1, findings.figures().get(0).series().get(1).y().get(0), 1e-6);
    assertEquals(Variant.values().length - 1, findings.tables().get(0).rows().size());
    assertEquals(Variant.values().length, findings.tables().get(1).rows().size());
  }

  @Test
  void nothingMeasuredIsNoFailure() {
    Findings findings = new OverheadFindings(List.of()).toFindings();
    assertEquals("nothing measured yet", findings.summary());
    assertTrue(findings.passed());
  }
}
