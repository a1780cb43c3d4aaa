// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.scheduler.SimulatedDisk;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.FigureImage;
import org.junit.jupiter.api.Test;

/** The experiment itself, in virtual time. */
class NvmeExperimentTest {

  private final NvmeExperiment experiment = new NvmeExperiment(true, 1);

  private ObjectNode run(Load load, Queues queues, int inside) {
    return experiment.run(cell(load, queues, inside), null);
  }

  private static Cell cell(Load load, Queues queues, int inside) {
    return new Cell(NvmeExperiment.factors(load, queues, inside), 1, 1);
  }

  private static double iops(ObjectNode measured, String application) {
    return measured.at("/" + application + "/iops").asDouble();
  }

  @Test
  void aReadThatIsAloneTakesOneService() {
    Queues.OfCores queues = Queues.ONE.set(1);
    Job job = new Job("a", queues.queue(0, QueueClass.HIGH), 1, 0);
    NvmeDrive drive = new NvmeDrive(queues.arbiter(), 32, 1000, 1);
    NvmeDrive.Answers answers = drive.run(List.of(job), 0.1, 1).get("a");
    assertEquals(1000, (double) answers.count(), 1);
    assertEquals(1000, answers.micros(99), 1e-3);
  }

  /** With 10 under way and one inside, each waits for the nine before it. */
  @Test
  void whatIsNotInsideWaitsInItsQueue() {
    Queues.OfCores queues = Queues.ONE.set(1);
    Job job = new Job("a", queues.queue(0, QueueClass.HIGH), 10, 0);
    for (int inside : List.of(1, 4, 64)) {
      NvmeDrive drive = new NvmeDrive(queues.arbiter(), inside, 1000, 1);
      assertEquals(10_000, drive.run(List.of(job), 0.1, 1).get("a").micros(50), 1e-3);
      while (queues.arbiter().next() != null) {
        // Leave nothing for the next drive.
      }
    }
  }

  @Test
  void aJobThatThinksAsksLessOften() {
    Queues.OfCores queues = Queues.ONE.set(1);
    Job job = new Job("a", queues.queue(0, QueueClass.HIGH), 1, 4e-3);
    NvmeDrive drive = new NvmeDrive(queues.arbiter(), 32, 1000, 1);
    assertEquals(200, drive.run(List.of(job), 0.1, 50).get("a").count() / 50.0, 6);
  }

  @Test
  void theDriveNeverHasMoreReadsThanItsRate() {
    for (Cell cell : experiment.plan()) {
      if (SsdVolume.has(cell)) {
        continue;
      }
      ObjectNode measured = experiment.run(cell, null);
      double sum = 0;
      for (var application : measured) {
        sum += application.path("iops").asDouble();
      }
      // Each of these loads keeps it busy.
      assertEquals(NvmeExperiment.RATE, sum, NvmeExperiment.RATE / 1000, cell.toString());
    }
  }

  @Test
  void theSharesAreTheWeights() {
    ObjectNode measured = run(Load.PUBLISHED, Queues.WEIGHTS_3_2_1, 128);
    assertEquals(214_400, iops(measured, Load.BEST_EFFORT), 500);
    assertEquals(142_900, iops(measured, Load.NO_CLASS), 500);
    assertEquals(71_500, iops(measured, Load.IDLE), 500);
  }

  @Test
  void theSameSeedGivesTheSameResult() {
    Cell cell = cell(Load.URGENT_GETS, Queues.WEIGHTS_16_8_1, 32);
    assertEquals(experiment.run(cell, null), experiment.run(cell, null));
  }

  private List<CellResult> results() {
    return experiment.plan().stream()
        .map(cell -> new CellResult(cell, experiment.run(cell, null)))
        .collect(Collectors.toList());
  }

  @Test
  void allTargetsAreMetAndTheReportIsDrawn() throws IOException {
    Findings findings = experiment.evaluate(results());
    for (Target target : findings.targets()) {
      assertTrue(target.met() || !target.decisive(), target.toString());
    }
    assertTrue(findings.passed());
    assertEquals(
        List.of(7 + 1, 4, 12, 7),
        findings.tables().stream().map(t -> t.rows().size()).collect(Collectors.toList()));
    Map<String, byte[]> images = FigureImage.pngs(findings.figures());
    assertEquals(List.of("nvme-shares", "nvme-gets"), List.copyOf(images.keySet()));
    assertTrue(findings.notes().get(0).contains("no drive was measured"));
  }

  /** A drive that ignores the classes in place of each that knows them, and no turns. */
  @Test
  void aDriveThatDoesNotArbitrateMissesTheTargets() {
    Cell order = new Cell(SsdVolume.factors(SsdVolume.ORDER, SsdVolume.NO_LIMIT), 1, 1);
    List<CellResult> ignored =
        experiment.plan().stream()
            .map(
                cell ->
                    new CellResult(
                        cell,
                        SsdVolume.has(cell)
                            ? SsdVolume.run(order, 1)
                            : run(
                                Load.of(cell.factor(NvmeExperiment.LOAD)),
                                Queues.ROUND_ROBIN,
                                Integer.parseInt(cell.factor(NvmeExperiment.INSIDE)))))
            .collect(Collectors.toList());
    Findings findings = experiment.evaluate(ignored);
    assertFalse(findings.passed());
    List<String> missed =
        findings.targets().stream()
            .filter(Target::missed)
            .map(Target::what)
            .collect(Collectors.toList());
    for (String part :
        List.of(
            "best-effort / none",
            "none / idle",
            "at 16:1 / alone",
            "at 128:1 / alone",
            "p99: round robin / urgent",
            "4 streams at a time, share 1.0")) {
      assertTrue(missed.stream().anyMatch(what -> what.contains(part)), part + " in " + missed);
    }
  }

  @Test
  void aReadOfAnSsdWaitsForTheDiesOfItsPages() {
    SsdDisk disk = new SsdDisk();
    SimulatedDisk.Request whole = request(0, 2 * SsdDisk.DIES * SsdDisk.PAGE_BYTES);
    SimulatedDisk.Request one = request(SsdDisk.PAGE_BYTES, 1);
    disk.read(whole);
    disk.read(one);
    long first = 2 * SsdDisk.PAGE_NANOS;
    assertEquals(Optional.empty(), disk.run(first - 1));
    assertSame(whole, disk.run(first).orElseThrow());
    assertEquals(first, disk.now());
    assertSame(one, disk.run(Long.MAX_VALUE).orElseThrow());
    assertEquals(first + SsdDisk.PAGE_NANOS, disk.now());
    assertEquals(Optional.empty(), disk.run(10 * first));
    // Two bytes on two dies.
    disk.read(request(SsdDisk.PAGE_BYTES - 1, 2));
    disk.run(Long.MAX_VALUE);
    assertEquals(10 * first + SsdDisk.PAGE_NANOS, disk.now());
  }

  private static SimulatedDisk.Request request(long offset, int bytes) {
    return new SimulatedDisk.Request(offset, bytes, IoPriority.NONE, false, 0);
  }
}
