// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.hadoopprio.lab.bench.bed.ItSupport;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.disk.VirtualDisk;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A small run of the whole experiment, with real daemons, a virtual disk, YCSB and streams of
 * reads: requests have the classes at the drive that each system is to give them.
 */
class MixedIT {

  private static final boolean FULL = Boolean.getBoolean("hprio.full");
  private static final Path DIRECTORY = ItSupport.directory("MixedIT");
  private static final Map<MixedSystem, JsonNode> MEASURED = new EnumMap<>(MixedSystem.class);
  private static final List<CellResult> RESULTS = new ArrayList<>();
  private static MixedExperiment experiment;

  @BeforeAll
  static void measure() throws IOException {
    ItSupport.requireVirtualDisk();
    MixedScale scale = MixedScale.tiny();
    MixedPlan plan =
        MixedPlan.of(
            systems(), EnumSet.of(Background.STREAMS16), EnumSet.of(GetLoad.OPEN), 1, scale);
    experiment = new MixedExperiment(plan, scale, VirtualDisk.DRIVE, DIRECTORY);
    experiment.prepare(ItSupport.LOG);
    List<Cell> cells = experiment.order(experiment.plan(), 1);
    // The cluster starts as stock and with the agent it is not restarted: two restarts are enough.
    cells.sort(
        Comparator.comparing(
            cell -> {
              Deployment deployment = Deployment.of(cell);
              return deployment.hasAgent() ? 2 : deployment.equals(Deployment.STOCK) ? 0 : 1;
            }));
    for (Cell cell : cells) {
      System.err.println(cell);
      JsonNode measured = experiment.run(cell, ItSupport.LOG);
      System.err.println(measured.toPrettyString());
      MEASURED.put(MixedPlan.system(cell), measured);
      RESULTS.add(new CellResult(cell, measured));
    }
  }

  /** At full length (see lab/it's Scale), what users may pick instead of hadoop-prio, too. */
  private static EnumSet<MixedSystem> systems() {
    EnumSet<MixedSystem> systems =
        EnumSet.of(MixedSystem.STOCK, MixedSystem.FULL, MixedSystem.BOUND, MixedSystem.NO_GETS);
    if (FULL) {
      systems.add(MixedSystem.STOCK_BFQ);
      systems.add(MixedSystem.IONICE_LOCAL);
      systems.add(MixedSystem.IONICE_LOCAL_BFQ);
    }
    return systems;
  }

  @AfterAll
  static void stop() throws IOException {
    if (experiment != null) {
      experiment.close();
    }
  }

  private static long reads(MixedSystem system, String ioClass) {
    JsonNode disk = MEASURED.get(system).path("disk");
    return DriveClasses.of(disk, ioClass, "read").path("count").asLong();
  }

  private static double gets(MixedSystem system) {
    return MEASURED.get(system).at("/gets/count").asDouble();
  }

  @Test
  void prioritisedGetsAreRealtimeAtTheDriveAndStreamsIdle() {
    double perGet = reads(MixedSystem.FULL, "rt") / gets(MixedSystem.FULL);
    assertEquals(1, perGet, 0.25, MEASURED.get(MixedSystem.FULL)::toString);
    long streams = reads(MixedSystem.FULL, "idle");
    assertTrue(streams > 50, MEASURED.get(MixedSystem.FULL)::toString);
    // The file system's own, such as an inode that has left the cache.
    long others = reads(MixedSystem.FULL, "be");
    assertTrue(others < streams * 0.01, MEASURED.get(MixedSystem.FULL)::toString);
  }

  @Test
  void stockHasNoClass() {
    assertEquals(0, reads(MixedSystem.STOCK, "rt"));
    assertEquals(0, reads(MixedSystem.STOCK, "idle"));
    assertTrue(reads(MixedSystem.STOCK, "be") > 50, MEASURED.get(MixedSystem.STOCK)::toString);
  }

  /** It is they that read. */
  @Test
  @Tag("full")
  void ioniceOnProcessesWithShortCircuitReachesTheDrive() {
    for (MixedSystem system : List.of(MixedSystem.IONICE_LOCAL, MixedSystem.IONICE_LOCAL_BFQ)) {
      assertTrue(reads(system, "rt") > 0.75 * gets(system), MEASURED.get(system)::toString);
      assertTrue(reads(system, "idle") > 50, MEASURED.get(system)::toString);
    }
  }

  @Test
  void aGetIsOneReadOfTheDisk() {
    for (MixedSystem system : List.of(MixedSystem.BOUND, MixedSystem.FULL)) {
      assertEquals(
          1,
          MEASURED.get(system).at("/disk/reads_per_get").asDouble(),
          0.25,
          MEASURED.get(system)::toString);
    }
  }

  @Test
  void eachIsMeasuredWithItsScheduler() {
    MEASURED.forEach(
        (system, measured) -> {
          String queue = measured.at("/disk/queue").asText();
          assertTrue(queue.contains("[" + system.scheduler() + "]"), () -> system + ": " + queue);
          assertTrue(queue.contains(" nr_requests=64 "), () -> system + ": " + queue);
        });
  }

  @Test
  void everyCellHasWhatTheReportNeeds() {
    Findings findings = experiment.evaluate(RESULTS);
    assertTrue(findings.targets().stream().anyMatch(t -> t.measured().isPresent()));
    assertTrue(StreamsBound.ratio(new MixedResults(RESULTS), MixedSystem.FULL).isPresent());
    assertFalse(findings.figures().isEmpty());
    assertEquals(RESULTS.size(), findings.tables().get(0).rows().size());
    MEASURED.forEach(
        (system, measured) -> {
          assertEquals(system.hasGets(), measured.has("gets"));
          assertEquals(0, measured.at("/gets/failures").asLong());
          assertTrue(measured.path("gate").has("valid"));
          assertTrue(measured.path("commands").size() >= 3);
        });
  }

  /** Files of streams are disjoint and leave the page cache: what they get, the disk has read. */
  @Test
  void streamsAreReadFromTheDisk() {
    JsonNode full = MEASURED.get(MixedSystem.FULL);
    double streams = full.at("/background/bytes_per_second").asDouble();
    double disk = full.at("/disk/read_bytes_per_second").asDouble();
    assertTrue(disk > 0.9 * streams, full::toString);
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
