package org.hadoopprio.bench.engines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopprio.bench.experiment.Cell;
import org.hadoopprio.bench.experiment.CellResult;
import org.hadoopprio.bench.experiment.Findings;
import org.hadoopprio.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class EnginesFindingsTest {

  private static final int READS = 1000;

  /** Rounds of uncached 64 KiB reads; the CPU time is in microseconds per read. */
  private static List<CellResult> rounds(int count, Map<Variant, Integer> micros) {
    List<CellResult> results = new ArrayList<>();
    for (int round = 1; round <= count; round++) {
      ObjectNode measured = JsonNodeFactory.instance.objectNode();
      ObjectNode blocks = measured.putObject("blocks");
      for (Variant variant : Variant.values()) {
        blocks
            .withArray(variant.label())
            .addObject()
            .put("reads", READS)
            .put("seconds", 1.0)
            .put("cpu_s", READS * micros.get(variant) / 1e6);
      }
      String reads = ReadKind.SMALL_UNCACHED.label();
      Cell cell = new Cell(Map.of(EnginesExperiment.FACTOR, reads), round, 1);
      results.add(new CellResult(cell, measured));
    }
    return results;
  }

  private static Map<Variant, Integer> micros(int thread, int direct) {
    return Map.of(
        Variant.STOCK, 110,
        Variant.CONTROL, 90,
        Variant.THREAD, thread,
        Variant.DIRECT, direct,
        Variant.NCQ, 200);
  }

  @Test
  void anEngineThatCostsMoreThanItMayMissesItsTarget() {
    Findings findings = new EnginesFindings(rounds(2, micros(109, 111))).toFindings();
    List<Target> targets = findings.targets();
    assertTrue(targets.get(0).met(), targets.get(0).toString());
    assertTrue(targets.get(1).missed(), targets.get(1).toString());
    assertEquals(1.11, targets.get(1).measured().getAsDouble(), 1e-9);
    assertEquals("2.00 ± 0.00", findings.tables().get(0).rows().get(4).get(3));
    assertTrue(findings.summary().contains("direct 111 µs"), findings.summary());
  }

  @Test
  void oneRoundIsNoVerdict() {
    Findings findings = new EnginesFindings(rounds(1, micros(500, 500))).toFindings();
    assertTrue(findings.passed());
    assertEquals("not measured", findings.targets().get(0).state());
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
