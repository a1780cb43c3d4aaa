package org.hadoopprio.lab.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hadoopprio.jmx.PriorityMBean;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.StepLog;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.Privileges;
import org.junit.jupiter.api.Test;

/** A tiny run measures every variant with real daemons and clients that are what its name says. */
class OverheadIT {

  private static final Path DIRECTORY = Path.of("target", "it", "OverheadIT").toAbsolutePath();
  private static final int BLOCKS = 2;
  private static final int HELD_READS = 100;

  private static final StepLog SILENT =
      new StepLog() {
        @Override
        public void say(String message) {}

        @Override
        public void at(double fraction, String detail) {}
      };

  @Test
  void everyVariantIsMeasuredAndIsWhatItsNameSays() throws Exception {
    OverheadSettings settings =
        new OverheadSettings(1, 1, 1, BLOCKS, 0.2, 0.001, 0, 0, SchedulerScale.NONE, 1);
    List<CellResult> results = new ArrayList<>();
    try (OverheadExperiment experiment = new OverheadExperiment(settings, DIRECTORY)) {
      for (Cell cell : experiment.order(experiment.plan(), 1)) {
        JsonNode measured = experiment.run(cell, SILENT);
        results.add(new CellResult(cell, measured));
        if (OverheadExperiment.isTaskStart(cell)) {
          assertStarts(Variant.FOR_TASKS, measured);
        } else if (OverheadExperiment.isStartUp(cell)) {
          assertStarts(Variant.FOR_HINTS, measured);
        } else {
          assertBlocks(measured);
          Role role = ClientOperation.of(cell.factor(OverheadExperiment.FACTOR)).role();
          assertAgents(role);
        }
      }
      Findings findings = experiment.evaluate(results);
      assertEquals(4, findings.tables().size());
      assertEquals(4, findings.figures().get(0).categories().size());
    }
    assertTrue(LocalCluster.find(DIRECTORY).isEmpty(), "nothing is left running");
  }

  @Test
  void theSchedulerIsSwitchedWhileItsStreamsRead() throws Exception {
    if (!Privileges.isRoot() && Boolean.parseBoolean(System.getenv("CI"))) {
      fail("CI must have what the tests need: root, for loop devices");
    }
    assumeTrue(Privileges.isRoot(), "needs root, for loop devices");
    SchedulerScale scale = new SchedulerScale(1, 1, 0.2, HELD_READS, 4);
    OverheadSettings settings = new OverheadSettings(0, 0, 0, 0, 0, 0.01, 0, 0, scale, 0);
    List<CellResult> results = new ArrayList<>();
    try (OverheadExperiment experiment = new OverheadExperiment(settings, DIRECTORY)) {
      for (Cell cell : experiment.order(experiment.plan(), 1)) {
        JsonNode measured = experiment.run(cell, SILENT);
        results.add(new CellResult(cell, measured));
        SchedulerLoad load = SchedulerLoad.of(cell.factor(OverheadExperiment.FACTOR));
        for (Variant variant : Variant.FOR_SCHEDULER) {
          JsonNode block = measured.path("blocks").path(variant.label()).path(0);
          double packets = block.path("operations").asDouble();
          assertTrue(packets > 0, load + ", " + variant);
          double bytes = block.path("bytes").asDouble();
          assertEquals(SchedulerBed.PACKET_BYTES, bytes / packets, 100, "of data in a packet");
        }
        JsonNode volume = measured.path("volume");
        assertEquals(load.asDisk() ? "turns" : "order", volume.path("mode").asText());
        assertEquals(load.asDisk() ? 1 : 0, volume.path("streams").asInt());
        if (load.besideHeldReads()) {
          JsonNode held = measured.path("held").path(Variant.TURNS.label()).path(0);
          assertEquals(HELD_READS, held.path("reads").asInt());
          assertEquals(0, held.path("failed").asInt());
          assertTrue(held.path("data_xceivers").asInt() >= HELD_READS, held::toString);
        }
      }
      assertEquals(3, experiment.evaluate(results).tables().size());
    }
    assertTrue(LocalCluster.find(DIRECTORY).isEmpty(), "nothing is left running");
  }

  private static void assertBlocks(JsonNode measured) {
    double cpu = 0;
    for (Variant variant : Variant.FOR_HINTS) {
      JsonNode blocks = measured.path("blocks").path(variant.label());
      assertEquals(BLOCKS, blocks.size(), variant.label());
      for (JsonNode block : blocks) {
        assertTrue(block.path("operations").asLong() > 0, block::toString);
        assertTrue(block.path("seconds").asDouble() >= 0.2, block::toString);
        cpu += block.path("daemon_cpu_s").asDouble();
      }
    }
    assertTrue(cpu > 0, "the daemons did something");
    assertEquals(BLOCKS, measured.path("blocks").path(OverheadExperiment.UNSTATED).size());
    assertEquals(Variant.FOR_HINTS.size(), measured.path("commands").size());
  }

  private static void assertStarts(List<Variant> variants, JsonNode measured) {
    for (Variant variant : variants) {
      double seconds = measured.path("starts").path(variant.label()).path("seconds").asDouble();
      assertTrue(seconds > 0.1 && seconds < 60, variant.label() + ": " + seconds + " s");
    }
  }

  /** Two daemons have the agent; of two DataNodes one is asked for priorities, and only that. */
  private static void assertAgents(Role role) throws IOException {
    LocalCluster cluster = LocalCluster.attach(DIRECTORY);
    List<Long> granted = new ArrayList<>();
    int stock = 0;
    for (Daemon daemon : cluster.daemons(role)) {
      JsonNode beans = cluster.jmx(daemon, PriorityMBean.OBJECT_NAME);
      assertEquals(daemon.hasAgent() ? 1 : 0, beans.size(), daemon.name());
      if (daemon.hasAgent()) {
        granted.add(beans.get(0).path("GrantedBestEffort").asLong());
      } else {
        stock++;
      }
    }
    assertEquals(2, stock);
    assertEquals(2, granted.size());
    if (role == Role.DATANODE) {
      assertEquals(0, Math.min(granted.get(0), granted.get(1)), "of the one without hints");
      assertTrue(Math.max(granted.get(0), granted.get(1)) > 0, "of the one with hints");
    }
  }
}
