// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopprio.lab.bench.bed.ItSupport;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Short measurements, with real daemons, clients and virtual disks. */
class OwnWorkIT {

  private static final String COMPACTION = "compaction";
  private static final long TABLE_BYTES = 256L << 20;
  private static final int PUT_BYTES = 1024;
  private static final int SECONDS = 5;
  private static final double BYTES_PER_MB = 1e6;

  @BeforeAll
  static void requireVirtualDisks() {
    ItSupport.requireVirtualDisk();
  }

  private static Path directory(String name) {
    return ItSupport.directory("OwnWorkIT-" + name);
  }

  /** Measures all cells. */
  private static List<CellResult> measure(PlanExperiment experiment) throws IOException {
    List<CellResult> results = new ArrayList<>();
    experiment.prepare(ItSupport.LOG);
    for (Cell cell : experiment.plan()) {
      JsonNode measured = experiment.run(cell, ItSupport.LOG);
      System.err.println(cell + " " + measured.toPrettyString());
      results.add(new CellResult(cell, measured));
    }
    return results;
  }

  private static JsonNode of(List<CellResult> results, String id) {
    return results.stream()
        .filter(result -> result.cell().id().equals(id))
        .findFirst()
        .orElseThrow()
        .measured();
  }

  /**
   * The part of the time in which a drive worked for a priority, at least one of them. The time in
   * which its cache writes out what was written is nobody's.
   */
  private static double busy(JsonNode measured, String priority) {
    double most = 0;
    for (JsonNode drive : measured.path("drives")) {
      most = Math.max(most, drive.path("priorities_busy").path(priority).asDouble());
    }
    return most;
  }

  /** What has been read and written at a priority, on all drives together. */
  private static double bytes(JsonNode measured, String priority) {
    double sum = 0;
    for (JsonNode drive : measured.path("drives")) {
      double rate = drive.path("priorities_mb_per_s").path(priority).asDouble();
      sum += rate * BYTES_PER_MB * drive.path("elapsed_s").asDouble();
    }
    return sum;
  }

  private static Target target(Findings findings, String what) {
    return findings.targets().stream()
        .filter(target -> target.what().contains(what))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void putsAreMeasuredBesideCompactionsAtTheirPriorities() throws IOException {
    String text = ShippedPlan.text("ownwork").replace("mib: 768", "mib: 256");
    Plan plan = PlanReader.read("ownwork", "ownwork.yaml", text);
    Choice.Wish wish =
        new Choice.Wish(
            false, List.of(COMPACTION), List.of(), Optional.of(SECONDS), Optional.empty());
    try (PlanExperiment experiment =
        ShippedPlan.experiment(plan, wish, 1, directory("compactions"))) {
      List<CellResult> results = measure(experiment);
      JsonNode stock = of(results, "compaction_stock_r1");
      JsonNode roles = of(results, "compaction_defaults_r1");
      for (JsonNode measured : List.of(stock, roles)) {
        assertTrue(measured.at("/loads/puts/reads").asLong() > 25, measured::toString);
        // Less than that is an answer from memory.
        assertTrue(measured.at("/loads/puts/p50_ms").asDouble() > 3, measured::toString);
        assertTrue(measured.at("/loads/compactions/count").asInt() > 0, measured::toString);
        assertTrue(
            measured.at("/loads/compactions/bytes").asLong() > TABLE_BYTES, measured::toString);
      }
      assertEquals(0, bytes(stock, "be:0"), stock::toString);
      assertEquals(0, bytes(stock, "be:6"), stock::toString);
      // Each Put is on the disk before it is answered.
      long put = roles.at("/loads/puts/reads").asLong() * PUT_BYTES;
      assertTrue(bytes(roles, "be:0") >= put, roles::toString);
      assertTrue(busy(roles, "be:6") > 0.01, roles::toString);
      Findings findings = experiment.evaluate(results);
      // One repetition, so the targets' values are those of these cells; which way is sure of p50.
      assertEquals(
          stock.at("/loads/puts/p99_ms").asDouble() / roles.at("/loads/puts/p99_ms").asDouble(),
          target(findings, "p99 ms").measured().getAsDouble(),
          1e-9);
      assertEquals(
          roles.at("/loads/compactions/mb_per_s").asDouble()
              / stock.at("/loads/compactions/mb_per_s").asDouble(),
          target(findings, "compaction MB/s").measured().getAsDouble(),
          1e-9);
      assertTrue(
          stock.at("/loads/puts/p50_ms").asDouble()
              > 1.5 * roles.at("/loads/puts/p50_ms").asDouble(),
          () -> stock + " " + roles);
      assertEquals(2, findings.tables().get(0).rows().size());
    }
  }
}
