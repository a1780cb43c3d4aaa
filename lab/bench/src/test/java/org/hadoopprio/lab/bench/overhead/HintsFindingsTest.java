package org.hadoopprio.lab.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class HintsFindingsTest {

  private static Findings findings(List<CellResult> results) {
    OverheadSettings hints = OverheadSettings.full().only(Set.of(OverheadPart.HINTS));
    return new OverheadExperiment(hints, Path.of("unused")).evaluate(results);
  }

  private static Findings unhinted(double... rates) {
    Rounds rounds = new Rounds(ClientOperation.PREAD);
    for (double rate : rates) {
      rounds.rate(Variant.UNHINTED, rate, rate).next();
    }
    return findings(rounds.results());
  }

  private static Findings unhintedCpu(double... microseconds) {
    Rounds rounds = new Rounds(ClientOperation.PREAD);
    for (double extra : microseconds) {
      rounds.cpu(Variant.UNHINTED, Rounds.CPU_S + extra * 1e-6).next();
    }
    return findings(rounds.results());
  }

  private static Findings hint(double... microseconds) {
    Rounds rounds = new Rounds(ClientOperation.PREAD);
    for (double extra : microseconds) {
      rounds.hint(extra * 1e-6).next();
    }
    return findings(rounds.results());
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
    assertEquals(Target.State.UNDETERMINED, rate.state());
    assertTrue(findings.passed());
    assertTrue(rate.estimate().get().high() > 1, "the interval's upper end");
    String text = rate.toString();
    assertTrue(
        text.matches("undetermined .*0\\.98\\d \\(0\\.9\\d\\d to 1\\.0\\d\\d\\), at .*"), text);
  }

  @Test
  void cpuTimeThatIsHighForSureMisses() {
    assertTrue(target(unhintedCpu(2.9, 3, 3.1), "pread", "no hints", "CPU").missed());
    assertTrue(target(unhintedCpu(0.4, 0.5, 0.6), "pread", "no hints", "CPU").met());
  }

  @Test
  void hintsMayCostThreeMicroseconds() {
    assertTrue(target(hint(2.75, 2.8, 2.7), "a hint adds").met());
    Target missed = target(hint(3.9, 4.1, 4), "a hint adds");
    assertTrue(missed.missed());
    assertEquals(3.75, missed.estimate().get().low(), 0.01);
  }

  @Test
  void oneRoundDecidesNothing() {
    Findings findings = unhinted(500);
    assertTrue(findings.targets().stream().allMatch(target -> target.measured().isEmpty()));
    assertTrue(findings.notes().stream().anyMatch(note -> note.contains("one round only")));
  }

  @Test
  void noiseBetweenStockAndStockIsSaid() {
    Rounds rounds = new Rounds(ClientOperation.GET);
    for (double rate : new double[] {950, 1050, 1000}) {
      rounds.rate(Variant.CONTROL, rate).rate(Variant.STOCK, 1000);
      rounds.rate(Variant.UNHINTED, 1000).rate(Variant.HINTED, 1000).next();
    }
    Findings noisy = findings(rounds.results());
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
    assertEquals(Variant.FOR_HINTS.size() - 1, findings.tables().get(0).rows().size());
    assertEquals(Variant.FOR_HINTS.size(), findings.tables().get(1).rows().size());
  }

  @Test
  void nothingMeasuredIsNoFailure() {
    Findings findings = findings(List.of());
    assertEquals("nothing measured yet", findings.summary());
    assertTrue(findings.passed());
  }
}
