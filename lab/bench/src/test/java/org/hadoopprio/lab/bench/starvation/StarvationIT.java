// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.hadoopprio.lab.bench.bed.ItSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Short measurements of each sort, with real daemons, clients and a virtual disk. */
class StarvationIT {

  private static final int SECONDS = 4;

  /** Less than half a turn of the drive. */
  private static final double LEAST_SEEK_MS = 4;

  private static StarvationBed bed;

  @BeforeAll
  static void start() throws IOException {
    ItSupport.requireVirtualDisk();
    bed = StarvationBed.start(ItSupport.directory("StarvationIT"), ItSupport.LOG);
  }

  @AfterAll
  static void stop() throws IOException {
    if (bed != null) {
      bed.close();
    }
  }

  private static JsonNode measure(Measurement measurement) throws IOException {
    JsonNode measured = bed.measure(measurement, SECONDS);
    System.err.println(measurement + " " + measured.toPrettyString());
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

  /** What clients get, the disk has read. */
  private static void assertFromDisk(JsonNode measured) {
    double clients =
        measured.at("/realtime/mb_per_s").asDouble()
            + measured.at("/background/mb_per_s").asDouble();
    assertTrue(clients > 1, measured::toString);
    assertTrue(diskMbPerSecond(measured) > 0.9 * clients, measured::toString);
  }

  @Test
  void aReaderAloneReadsFromTheDisk() throws IOException {
    for (ClientLoad.Kind kind : StarvationPlan.KINDS) {
      ClientLoad load = ClientLoad.of(kind, 1);
      JsonNode bound = measure(Measurement.realtime(load, ReaderSystem.BOUND));
      assertFromDisk(bound);
      // At random the drive has to seek; in a file the kernel has read ahead.
      boolean seeks = bound.at("/realtime/p50_ms").asDouble() > LEAST_SEEK_MS;
      assertEquals(kind == ClientLoad.Kind.RANDOM, seeks, bound::toString);
      assertTrue(bound.path("background").isMissingNode(), bound::toString);
      assertEquals("ncq", bound.at("/drives/0/parameters/mode").asText());
      String command = bound.at("/commands/0").asText();
      assertTrue(command.startsWith("HADOOP_IO_PRIORITY=rt:0 "), command);
    }
  }

  @Test
  void manyReadersAndStreamsReadFromTheDisk() throws IOException {
    for (ClientLoad.Kind kind : StarvationPlan.KINDS) {
      ClientLoad load = ClientLoad.of(kind, 128);
      JsonNode stock = measure(Measurement.realtime(load, ReaderSystem.STOCK));
      assertFromDisk(stock);
      assertTrue(stock.at("/realtime/reads").asLong() > 128, stock::toString);
      // 128 readers at once: 4 and 5 s were measured.
      assertTrue(stock.at("/background/longest_wait_ms").asDouble() > 400, stock::toString);
    }
  }

  @Test
  void groupsOfStreamsAreMeasuredApart() throws IOException {
    JsonNode levels =
        measure(Measurement.levels(BackgroundStreams.BE0_BE7, "bfq", ReaderSystem.TURNS));
    assertFromDisk(levels);
    JsonNode groups = levels.at("/background/groups_mb_per_s");
    double one = groups.path(0).asDouble();
    double other = groups.path(1).asDouble();
    assertTrue(one > 2 * other && other > 1, levels::toString);
    double busyOne = levels.at("/background/groups_busy/0").asDouble();
    double busyOther = levels.at("/background/groups_busy/1").asDouble();
    assertTrue(busyOther > 0.01 && busyOne + busyOther <= 1.01, levels::toString);
    double ratio = levels.at("/background/disk_time_ratio").asDouble();
    assertEquals(busyOne / busyOther, ratio, 1e-6, levels::toString);
    // The weights are 8 and 1; 6.3 and 10.3 were measured on a busy machine.
    assertTrue(ratio > 4 && ratio < 16, levels::toString);
    assertTrue(levels.at("/commands/0").asText().startsWith("HADOOP_IO_PRIORITY=be:0 "));
    assertTrue(levels.at("/commands/1").asText().startsWith("HADOOP_IO_PRIORITY=be:7 "));
  }
}
