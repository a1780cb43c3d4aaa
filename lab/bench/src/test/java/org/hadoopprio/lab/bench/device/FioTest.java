// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FioTest {

  /** A run of fio 3.33 with a fifth of the reads at class RT; a warning comes first. */
  private static String captured() throws IOException {
    try (InputStream in = FioTest.class.getResourceAsStream("fio-priorities.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void totalsAndClassesAreRead() throws IOException {
    JsonNode all = Fio.parse(captured()).path("all");
    assertEquals(48_307, all.path("n").asLong());
    assertEquals(48_258.7, all.path("iops").asDouble(), 0.1);
    assertEquals(6325.4, all.path("mb_per_s").asDouble(), 0.1);
    // lat, not clat: the time in io_submit is part of it.
    assertEquals(0.164976, all.path("mean_ms").asDouble(), 1e-6);
    assertEquals(3.555328, all.path("p99_ms").asDouble(), 1e-6);
    assertEquals(8.716288, all.path("p99.9_ms").asDouble(), 1e-6);
    assertEquals(24.534395, all.path("max_ms").asDouble(), 1e-6);
    assertEquals(9849, all.at("/classes/rt/n").asLong());
    assertEquals(3.129344, all.at("/classes/rt/p99_ms").asDouble(), 1e-6);
    assertEquals(38_458, all.at("/classes/none/n").asLong());
  }

  @Test
  void aFailedJobIsAFailure() throws IOException {
    String failed = captured().replace("\"error\": 0", "\"error\": 5");
    assertTrue(
        assertThrows(IOException.class, () -> Fio.parse(failed))
            .getMessage()
            .startsWith("fio's job all failed, error 5"));
  }

  @Test
  void aStarvedJobHasNoLatencies() throws IOException {
    String starved = captured().replace("\"N\": 48307", "\"N\": 0");
    JsonNode all = Fio.parse(starved).path("all");
    assertEquals(0, all.path("n").asLong());
    assertEquals(0, all.path("iops").asDouble());
    assertFalse(all.has("mean_ms"));
  }

  @Test
  void whatIsNoJsonIsShown() {
    assertTrue(
        assertThrows(IOException.class, () -> Fio.parse("fio: no such device"))
            .getMessage()
            .contains("fio: no such device"));
  }

  @Test
  void theCommandStatesEachJobAfterWhatAllShare() {
    String command =
        new Fio(Path.of("/dev/loop7"), 5, 42)
            .job("background", 32)
            .job("foreground", 1, "--prioclass=1", "--prio=0")
            .command();
    assertTrue(command.contains("--filename=/dev/loop7"), command);
    assertTrue(command.contains("--direct=1 --ioengine=libaio"), command);
    assertTrue(command.contains("--lat_percentiles=1"), command);
    assertFalse(command.contains("--clat_percentiles=1"), command);
    assertTrue(
        command.endsWith(
            "--name=background --iodepth=32 --name=foreground --iodepth=1 --prioclass=1 --prio=0"),
        command);
  }
}
