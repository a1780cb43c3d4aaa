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

class SchedulerFindingsTest {

  private static final double CPU_S = 10e-6;

  /** Rounds of a load; the rates are packets per second. */
  private static List<CellResult> rounds(SchedulerLoad load, int count, double off, double turns) {
    List<CellResult> results = new ArrayList<>();
    for (int round = 1; round <= count; round++) {
      ObjectNode measured = JsonNodeFactory.instance.objectNode();
      for (Variant variant : Variant.FOR_SCHEDULER) {
        double rate = variant == Variant.TURNS ? turns : off;
        new Block(rate, rate * SchedulerBed.PACKET_BYTES, 1, rate * CPU_S, rate * CPU_S / 5)
            .write(measured.with("blocks").withArray(variant.label()).addObject());
      }
      measured
          .putObject("volume")
          .put("device", "loop7")
          .put("streams", 0)
          .put("mode", "order")
          .put("reason", "loop7 does not rotate");
      results.add(new CellResult(cell(load, round), measured));
    }
    return results;
  }

  private static Cell cell(SchedulerLoad load, int round) {
    return new Cell(Map.of(OverheadExperiment.FACTOR, load.label()), round, 1);
  }

  private static Findings findings(List<CellResult> results) {
    OverheadSettings scheduler = OverheadSettings.full().only(Set.of(OverheadPart.SCHEDULER));
    return new OverheadExperiment(scheduler, Path.of("unused")).evaluate(results);
  }

  @Test
  void theRateInModeTurnsIsComparedWithThatInModeOff() {
    List<CellResult> results = rounds(SchedulerLoad.CACHED, 2, 100_000, 99_000);
    results.addAll(rounds(SchedulerLoad.DEVICE, 2, 100_000, 97_000));
    Findings findings = findings(results);
    List<Target> targets = findings.targets();
    assertTrue(targets.get(0).met(), targets.get(0).toString());
    assertTrue(targets.get(1).missed(), targets.get(1).toString());
    assertEquals(0.97, targets.get(1).measured().getAsDouble(), 1e-9);
    assertTrue(targets.get(2).met() && !targets.get(2).decisive(), targets.get(2).toString());
    List<String> turns = findings.tables().get(0).rows().get(2);
    assertEquals(List.of("turns", "99000 ± 0.00"), turns.subList(1, 3));
    assertTrue(turns.get(3).startsWith("0.990"), turns.get(3));
    assertEquals("10.0 ± 0.00", turns.get(4));
    assertEquals("2.00 ± 0.00", turns.get(6), "the client's CPU time stands beside, not within");
    assertTrue(
        findings.tables().get(1).rows().get(1).contains("loop7 does not rotate"),
        "what the scheduler has found");
    assertEquals("turns / off: 0.990 of 100000 packets/s", findings.summary());
  }

  @Test
  void aFailedReadAndTooFewReadsMissTheirTargets() {
    List<CellResult> results = rounds(SchedulerLoad.HELD, 1, 100_000, 100_000);
    for (Variant variant : Variant.FOR_SCHEDULER) {
      ((ObjectNode) results.get(0).measured())
          .with("held")
          .withArray(variant.label())
          .addObject()
          .put("reads", variant == Variant.OFF ? 4095 : 4096)
          .put("failed", variant == Variant.TURNS ? 1 : 0);
    }
    List<Target> targets = findings(results).targets();
    assertTrue(targets.get(3).missed(), targets.get(3).toString());
    assertTrue(targets.get(4).missed(), targets.get(4).toString());
  }

  @Test
  void nothingMeasuredIsNoVerdict() {
    Findings findings = findings(List.of());
    assertTrue(findings.passed());
    for (Target target : findings.targets()) {
      assertEquals(Target.State.NOT_MEASURED, target.state(), target.toString());
    }
  }

  @Test
  void aLoadIsFoundByItsLabel() {
    for (SchedulerLoad load : SchedulerLoad.values()) {
      assertEquals(load, SchedulerLoad.of(load.label()));
    }
  }
}
