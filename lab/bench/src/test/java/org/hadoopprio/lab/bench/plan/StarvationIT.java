// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopprio.lab.bench.bed.ItSupport;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Short measurements of each sort, with real daemons, clients and a virtual disk. */
class StarvationIT {

  private static final int SECONDS = 4;

  /** Less than half a turn of the drive. */
  private static final double LEAST_SEEK_MS = 4;

  /** Beside the readers, as the plan says. */
  private static final int STREAMS = 16;

  private static final List<String> KINDS = List.of("random", "sequential");

  private static PlanExperiment experiment;

  @BeforeAll
  static void start() throws IOException {
    ItSupport.requireVirtualDisk();
    Plan plan = ShippedPlan.read("starvation");
    Choice.Wish wish =
        new Choice.Wish(false, List.of(), List.of(), Optional.of(SECONDS), Optional.empty());
    experiment = ShippedPlan.experiment(plan, wish, 1, ItSupport.directory("StarvationIT"));
    experiment.prepare(ItSupport.LOG);
  }

  @AfterAll
  static void stop() throws IOException {
    if (experiment != null) {
      experiment.close();
    }
  }

  private static JsonNode measure(String condition, String system) throws IOException {
    Cell cell = new Cell(Map.of("condition", condition, "system", system), 1, SECONDS);
    JsonNode measured = experiment.run(cell, ItSupport.LOG);
    System.err.println(condition + " " + system + " " + measured.toPrettyString());
    return measured;
  }

  private static double diskMbPerSecond(JsonNode measured) {
    double sum = 0;
    for (JsonNode entry : measured.at("/drives/0/classes")) {
      sum +=
          entry.path("operation").asText().equals("read") ? entry.path("mb_per_s").asDouble() : 0;
    }
    return sum;
  }

  /**
   * What clients get, the disk has read: since the measurement began, or before it for readers in
   * order, of which each may have begun with what the kernel has read ahead.
   */
  private static void assertFromDisk(JsonNode measured, int readersInOrder) {
    double ahead = readersInOrder * readAheadMb(measured) / SECONDS;
    double clients = measured.at("/all/mb_per_s").asDouble();
    assertTrue(clients > 1, measured::toString);
    assertTrue(diskMbPerSecond(measured) + ahead > 0.9 * clients, measured::toString);
  }

  private static double readAheadMb(JsonNode measured) {
    return measured.at("/drives/0/queue/read_ahead_kb").asInt() * 1024 / 1e6;
  }

  @Test
  void aReaderAloneReadsFromTheDisk() throws IOException {
    for (String kind : KINDS) {
      JsonNode bound = measure(kind + "-1", "bound");
      assertFromDisk(bound, kind.equals("random") ? 0 : 1);
      // At random the drive has to seek; in a file the kernel has read ahead.
      boolean seeks = bound.path("loads").path(kind).path("p50_ms").asDouble() > LEAST_SEEK_MS;
      assertEquals(kind.equals("random"), seeks, bound::toString);
      assertTrue(bound.at("/loads/streams").isMissingNode(), bound::toString);
      assertEquals("ncq", bound.at("/drives/0/parameters/mode").asText());
      String command = bound.at("/commands/0").asText();
      assertTrue(
          command.startsWith("HADOOP_IO_PRIORITY=rt:0 ") || command.contains("--priority=rt:0"),
          command);
    }
  }

  @Test
  void manyReadersAndStreamsReadFromTheDisk() throws IOException {
    for (String kind : KINDS) {
      JsonNode stock = measure(kind + "-128", "stock");
      assertFromDisk(stock, STREAMS + (kind.equals("random") ? 0 : 128));
      assertTrue(stock.at("/drives/0/busy").asDouble() > 0.9, stock::toString);
      assertTrue(stock.path("loads").path(kind).path("reads").asLong() > 128, stock::toString);
      // 128 readers at once: 4 and 5 s were measured.
      assertTrue(stock.at("/loads/streams/longest_wait_ms").asDouble() > 400, stock::toString);
    }
  }

  @Test
  void groupsOfStreamsAreMeasuredApart() throws IOException {
    JsonNode levels = measure("be0-be7", "turns-bfq");
    assertFromDisk(levels, 8);
    double one = levels.at("/loads/one/mb_per_s").asDouble();
    double other = levels.at("/loads/other/mb_per_s").asDouble();
    assertTrue(one > 2 * other && other > 1, levels::toString);
    double busyOne = levels.at("/loads/one/busy").asDouble();
    double busyOther = levels.at("/loads/other/busy").asDouble();
    assertTrue(busyOther > 0.01 && busyOne + busyOther <= 1.01, levels::toString);
    // The weights are 8 and 1; 6.3 and 10.3 were measured on a busy machine.
    double ratio = busyOne / busyOther;
    assertTrue(ratio > 4 && ratio < 16, levels::toString);
    assertTrue(levels.at("/commands/0").asText().startsWith("HADOOP_IO_PRIORITY=be:0 "));
    assertTrue(levels.at("/commands/1").asText().startsWith("HADOOP_IO_PRIORITY=be:7 "));
  }
}
