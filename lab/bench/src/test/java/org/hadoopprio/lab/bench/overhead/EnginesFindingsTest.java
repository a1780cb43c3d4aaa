package org.hadoopprio.lab.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class EnginesFindingsTest {

  private static final int READS = 1000;

  /** Rounds of uncached 64 KiB reads; the CPU time is in microseconds per read. */
  private static List<CellResult> rounds(int count, Map<Variant, Integer> micros) {
    List<CellResult> results = new ArrayList<>();
    for (int round = 1; round <= count; round++) {
      ObjectNode measured = JsonNodeFactory.instance.objectNode();
      ObjectNode blocks = measured.putObject("blocks");
      for (Variant variant : Variant.FOR_ENGINES) {
        new Block(READS, READS * 65536.0, 1, READS * micros.get(variant) / 1e6, 0)
            .write(blocks.withArray(variant.label()).addObject());
      }
      String reads = ReadKind.SMALL_UNCACHED.label();
      Cell cell = new Cell(Map.of(OverheadExperiment.FACTOR, reads), round, 1);
      results.add(new CellResult(cell, measured));
    }
    return results;
  }

  private static Findings findings(List<CellResult> results) {
    OverheadSettings engines = OverheadSettings.full().only(Set.of(OverheadPart.ENGINES));
    return new OverheadExperiment(engines, Path.of("unused")).evaluate(results);
  }

  /** Both stocks have a geometric mean of 100. */
  private static Map<Variant, Integer> micros(int thread, int direct) {
    return Map.of(
        Variant.STOCK, 125,
        Variant.CONTROL, 80,
        Variant.THREAD, thread,
        Variant.DIRECT, direct,
        Variant.NCQ, 200);
  }

  @Test
  void anEngineThatCostsMoreThanItMayMissesItsTarget() {
    Findings findings = findings(rounds(2, micros(109, 111)));
    List<Target> targets = findings.targets();
    assertTrue(targets.get(0).met(), targets.get(0).toString());
    assertTrue(targets.get(1).missed(), targets.get(1).toString());
    assertEquals(1.11, targets.get(1).measured().getAsDouble(), 1e-9);
    assertEquals("2.00 ± 0.00", findings.tables().get(0).rows().get(4).get(3));
    assertTrue(findings.summary().contains("direct 111 µs"), findings.summary());
  }

  @Test
  void oneRoundIsNoVerdict() {
    Findings findings = findings(rounds(1, micros(500, 500)));
    assertTrue(findings.passed());
    assertEquals(Target.State.NOT_MEASURED, findings.targets().get(0).state());
  }

  @Test
  void noPlaceIsReadTwiceAndAllAreInTheFile() {
    for (ReadKind kind : ReadKind.values()) {
      assertTrue(kind.position(1) - kind.position(0) >= kind.bytes(), kind.label());
      assertTrue(kind.position(kind.reads()) <= EnginesBed.FILE_BYTES, kind.label());
      assertEquals(kind, ReadKind.of(kind.label()));
    }
  }
}
