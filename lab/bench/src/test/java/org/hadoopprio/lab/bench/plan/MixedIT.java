// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopprio.lab.bench.bed.ItSupport;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The plan {@code mixed} with little data, real daemons, stock and with the agent, and a virtual
 * disk: requests have the classes at the drive that each system is to give them.
 */
class MixedIT {

  private static final boolean FULL = Boolean.getBoolean("hprio.full");
  private static final Path DIRECTORY = ItSupport.directory("MixedIT");
  private static final int SECONDS = 5;
  private static final Map<String, JsonNode> MEASURED = new LinkedHashMap<>();
  private static final List<CellResult> RESULTS = new ArrayList<>();
  private static Plan plan;
  private static PlanExperiment experiment;

  @BeforeAll
  static void measure() throws IOException {
    ItSupport.requireVirtualDisk();
    // HDFS counts each open write-ahead log twice, as reserved and as scheduled, with 256 MiB.
    String text =
        ShippedPlan.text("mixed")
            .replace("disk-mib: 13312", "disk-mib: 4096")
            .replace("mib: 1100,", "mib: 96,")
            .replace("rows: 576716,", "rows: 50331,")
            .replace("count: 32, mib: 128", "count: 16, mib: 16");
    plan = PlanReader.read("mixed", "mixed.yaml", text);
    Choice.Wish wish =
        new Choice.Wish(false, List.of("open"), systems(), Optional.of(SECONDS), Optional.empty());
    experiment = ShippedPlan.experiment(plan, wish, 1, DIRECTORY);
    experiment.prepare(ItSupport.LOG);
    for (Cell cell : experiment.order(experiment.plan(), 1)) {
      JsonNode measured = experiment.run(cell, ItSupport.LOG);
      System.err.println(cell + " " + measured.toPrettyString());
      MEASURED.put(cell.factor("system"), measured);
      RESULTS.add(new CellResult(cell, measured));
    }
  }

  /** At full length (see lab/it's Scale), what users may pick instead of hadoop-prio, too. */
  private static List<String> systems() {
    List<String> systems = new ArrayList<>(List.of("stock", "bound", "full"));
    if (FULL) {
      systems.addAll(List.of("stock-bfq", "ionice-local", "ionice-local-bfq"));
    }
    return systems;
  }

  @AfterAll
  static void stop() throws IOException {
    if (experiment != null) {
      experiment.close();
    }
  }

  private static long reads(String system, String ioClass) {
    for (JsonNode entry : MEASURED.get(system).at("/drives/0/classes")) {
      if (entry.path("class").asText().equals(ioClass)
          && entry.path("operation").asText().equals("read")) {
        return entry.path("count").asLong();
      }
    }
    return 0;
  }

  private static double gets(String system) {
    return MEASURED.get(system).at("/loads/gets/reads").asDouble();
  }

  @Test
  void prioritisedGetsAreRealtimeAtTheDriveAndStreamsIdle() {
    JsonNode full = MEASURED.get("full");
    assertEquals(1, reads("full", "rt") / gets("full"), 0.25, full::toString);
    long streams = reads("full", "idle");
    assertTrue(streams > 50, full::toString);
    // The file system's own, such as an inode that has left the cache.
    assertTrue(reads("full", "be") < streams * 0.01, full::toString);
    assertEquals("prio", full.at("/drives/0/parameters/mode").asText());
  }

  @Test
  void stockHasNoClass() {
    assertEquals(0, reads("stock", "rt"));
    assertEquals(0, reads("stock", "idle"));
    assertTrue(reads("stock", "be") > 50, MEASURED.get("stock")::toString);
    assertEquals("ncq", MEASURED.get("stock").at("/drives/0/parameters/mode").asText());
  }

  /** It is they that read. */
  @Test
  @Tag("full")
  void ioniceOnProcessesWithShortCircuitReachesTheDrive() {
    for (String system : List.of("ionice-local", "ionice-local-bfq")) {
      assertTrue(reads(system, "rt") > 0.75 * gets(system), MEASURED.get(system)::toString);
      assertTrue(reads(system, "idle") > 50, MEASURED.get(system)::toString);
    }
  }

  @Test
  void aGetIsOneReadOfTheDisk() {
    assertEquals(1, reads("bound", "be") / gets("bound"), 0.25, MEASURED.get("bound")::toString);
  }

  @Test
  void eachIsMeasuredWithItsScheduler() {
    MEASURED.forEach(
        (system, measured) -> {
          String queue = measured.path("queue").asText();
          String scheduler = plan.systems().get(system).scheduler();
          assertTrue(queue.contains("[" + scheduler + "]"), () -> system + ": " + queue);
          assertTrue(queue.contains(" nr_requests=64 "), () -> system + ": " + queue);
        });
  }

  @Test
  void everyCellHasWhatTheReportNeeds() {
    Findings findings = experiment.evaluate(RESULTS);
    assertTrue(findings.targets().stream().anyMatch(t -> t.measured().isPresent()));
    assertEquals(2, findings.figures().size());
    assertEquals(RESULTS.size(), findings.tables().get(0).rows().size());
    MEASURED.forEach((system, measured) -> assertTrue(measured.path("gate").has("valid"), system));
  }

  /** Files of streams are disjoint and leave the page cache: what they get, the disk has read. */
  @Test
  void streamsAreReadFromTheDisk() {
    JsonNode full = MEASURED.get("full");
    double streams = full.at("/loads/scans/mb_per_s").asDouble();
    assertTrue(full.at("/disk/read_mb_per_s").asDouble() > 0.9 * streams, full::toString);
  }

  /** Its clients would ask for 20 minutes. */
  @Test
  void aDaemonThatEndedIsNamedAtOnce() throws IOException {
    LocalCluster cluster = LocalCluster.attach(DIRECTORY);
    Daemon regionServer = cluster.daemon(Role.REGIONSERVER);
    Cell last = RESULTS.get(RESULTS.size() - 1).cell();
    cluster.kill(regionServer);
    try {
      IOException failure =
          assertThrows(IOException.class, () -> experiment.run(last, ItSupport.LOG));
      String message = failure.getMessage();
      assertTrue(message.startsWith(regionServer.name() + ": has ended"), message);
    } finally {
      cluster.start(regionServer);
    }
  }

  @Test
  void aProcessCanShareADaemonsMemory() throws IOException {
    LocalCluster cluster = LocalCluster.attach(DIRECTORY);
    Need.MEMORY_GROUP.require(cluster.hasLittlePageCache(), "");
    Daemon dataNode = cluster.daemon(Role.DATANODE);
    List<String> line = new ArrayList<>(SharedMemory.prefix(cluster, dataNode));
    line.addAll(List.of("cat", "/proc/self/cgroup"));
    String groups = SystemCommand.run(line.toArray(new String[0]));
    assertTrue(groups.contains(cluster.id() + "-" + dataNode.name() + "\n"), groups);
    assertEquals(List.of(), SharedMemory.prefix(cluster, cluster.daemon(Role.NAMENODE)));
  }
}
