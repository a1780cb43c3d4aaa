// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class StarvationFindingsTest {

  private static final double STOCK_MB = 80;
  private static final double STOCK_WAIT = 900;
  private static final double BOUND_P95 = 50;
  private static final double STOCK_MEAN = 20;
  private static final double STOCK_REALTIME_MB = 5;

  private static final int KIND = StarvationPlan.THREADS.size();
  private static final int LOADS = 2 * KIND;
  private static final int STREAM_TARGETS = 3;
  private static final int LEVEL_TARGETS = 2 * StarvationPlan.SCHEDULERS.size();
  private static final int ALL_TARGETS = 5 * LOADS + KIND + STREAM_TARGETS + LEVEL_TARGETS;

  private final StarvationPlan plan =
      new StarvationPlan(EnumSet.allOf(StarvationPart.class), false, 1);

  private double besideMb = STOCK_MB / 4;
  private double p95 = BOUND_P95 * 2;
  private double stockP95 = BOUND_P95 * 2;
  private double mean = STOCK_MEAN;
  private double realtimeMb = STOCK_REALTIME_MB;
  private double besideWait = ReaderFindings.LONGEST_WAIT_MS;
  private double stockWait = STOCK_WAIT;
  private double charged = 0.985;
  private double alone = 1.4;
  private double wait = STOCK_WAIT;
  private double ofExpectedRatio = 1;
  private boolean valid = true;

  /** What a cell measures, with the figures above for turns. */
  private CellResult result(Cell cell) {
    Measurement measurement = plan.of(cell);
    boolean turns = measurement.system() == ReaderSystem.TURNS;
    boolean realtime = !measurement.load().equals(ClientLoad.NONE);
    ObjectNode measured = new ObjectMapper().createObjectNode();
    if (!measurement.background().equals(BackgroundStreams.NONE)) {
      ObjectNode background = measured.putObject("background");
      double turnsMb = realtime ? besideMb : alone * STOCK_MB;
      background.put("mb_per_s", turns ? turnsMb : STOCK_MB);
      background.put("longest_wait_ms", turns ? (realtime ? besideWait : wait) : stockWait);
      background.put("disk_time_ratio", ofExpectedRatio * measurement.background().expectedRatio());
    }
    if (realtime) {
      ObjectNode reads = measured.putObject("realtime");
      boolean stock = measurement.system() == ReaderSystem.STOCK;
      reads.put("p95_ms", turns ? p95 : stock ? stockP95 : BOUND_P95);
      reads.put("mean_ms", turns ? mean : STOCK_MEAN);
      reads.put("mb_per_s", turns ? realtimeMb : STOCK_REALTIME_MB);
      if (turns) {
        measured.putObject("charged").putObject("rt").put("of_disk", charged);
      }
    }
    ObjectNode gate = measured.putObject("gate");
    gate.put("valid", valid);
    gate.putArray("reasons").add("late");
    return new CellResult(cell, measured);
  }

  private Findings findings() {
    List<CellResult> results = new ArrayList<>();
    plan.cells().forEach(cell -> results.add(result(cell)));
    return new StarvationFindings(plan, results).draw();
  }

  private void assertMissed(int count, String what) {
    Findings findings = findings();
    long missed =
        findings.targets().stream().filter(t -> t.missed() && t.what().contains(what)).count();
    assertEquals(count, missed, findings.targets().toString());
    assertEquals(count, findings.targets().stream().filter(Target::missed).count());
    assertFalse(findings.passed());
  }

  @Test
  void targetsAreMetAtTheirBounds() {
    Findings findings = findings();
    assertEquals(ALL_TARGETS, findings.targets().size());
    assertTrue(findings.targets().stream().allMatch(Target::met), findings.targets().toString());
    assertTrue(findings.passed());
    assertTrue(findings.summary().contains("0.25"), findings.summary());
    assertTrue(findings.summary().contains("2.00x"), findings.summary());
  }

  @Test
  void tooLittleBackgroundIsMissed() {
    besideMb -= 1;
    assertMissed(LOADS, "background beside");
  }

  @Test
  void tooLongReadsAreMissed() {
    p95 += 1;
    stockP95 = p95;
    assertMissed(LOADS, "turns / bound");
  }

  @Test
  void readsThatAreSlowerThanWithoutAPriorityAreMissed() {
    stockP95 -= 1;
    assertMissed(KIND, "p95 of");
    stockP95 = p95;
    mean += 1;
    assertMissed(KIND, "mean of");
  }

  @Test
  void sequentialReadsOfLessThanStocksThroughputAreMissed() {
    realtimeMb -= 0.1;
    assertMissed(KIND, "throughput of");
  }

  @Test
  void aStreamThatWaitsLongerThanThreeSecondsIsMissed() {
    besideWait += 1;
    assertMissed(LOADS, "longest wait of a stream");
  }

  @Test
  void aStreamMayWaitTwiceAsLongAsStocks() {
    stockWait = ReaderFindings.LONGEST_WAIT_MS;
    wait = stockWait;
    besideWait = 2 * stockWait;
    assertTrue(findings().passed());
    besideWait += 1;
    assertMissed(LOADS, "longest wait of a stream");
  }

  @Test
  void bytesThatNobodyIsChargedForAreMissed() {
    charged = 0.97;
    assertMissed(LOADS, "bytes charged");
    charged = 1.03;
    assertMissed(LOADS, "bytes charged");
  }

  @Test
  void sixteenStreamsMustGainAndOneMustNotLose() {
    alone = 1.39;
    assertMissed(1, "throughput of 16 streams");
    alone = 0.97;
    assertMissed(2, "throughput of");
  }

  @Test
  void streamsAloneMustNotWaitLonger() {
    wait += 1;
    assertMissed(1, "longest wait of 16 streams");
  }

  @Test
  void prioritiesThatAreOffTheirWeightsAreMissedOnEitherSide() {
    ofExpectedRatio = 0.89;
    assertMissed(LEVEL_TARGETS, "against");
    ofExpectedRatio = 1.11;
    assertMissed(LEVEL_TARGETS, "against");
  }

  @Test
  void whatWasNotMeasuredIsNeitherMetNorMissed() {
    Findings findings = new StarvationFindings(plan, List.of()).draw();
    assertEquals(ALL_TARGETS, findings.targets().size());
    assertTrue(findings.targets().stream().noneMatch(t -> t.met() || t.missed()));
    assertTrue(findings.figures().isEmpty());
    assertTrue(findings.tables().isEmpty());
  }

  @Test
  void aGateThatDoesNotHoldInvalidatesTheRun() {
    valid = false;
    Findings findings = findings();
    assertEquals(plan.cells().size(), findings.invalid().size());
    assertTrue(findings.invalid().get(0).contains("late"));
    assertFalse(findings.passed());
  }
}
