// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Scans local files: the client does not mind which file system it reads. */
class ScanReadersTest {

  private static final int LENGTH = 1000;
  private static final int READS = 5;
  private static final int PAUSE_MS = 50;

  @TempDir private Path directory;

  private Path report() {
    return directory.resolve("report.json");
  }

  private int run(int bytes, int reads) throws IOException {
    return run(bytes, reads, PAUSE_MS);
  }

  private int run(int bytes, int reads, int pauseMillis) throws IOException {
    Path files = Files.createDirectory(directory.resolve("files"));
    Files.write(files.resolve("file"), new byte[bytes]);
    Path start = directory.resolve("start");
    Files.writeString(start, Long.toString(System.currentTimeMillis() + 2_000));
    return new CommandLine(new ScanReaders())
        .execute(
            "--directory", files.toString(),
            "--length", Integer.toString(LENGTH),
            "--reads", Integer.toString(reads),
            "--pause-ms", Integer.toString(pauseMillis),
            "--start-file", start.toString(),
            "--seconds", "1",
            "--report", report().toString());
  }

  @Test
  void eachScanIsMeasuredAsAWholeAndThereArePausesBetween() throws IOException {
    // Just long enough: a place beyond the end would fail.
    assertEquals(0, run((READS + 1) * LENGTH, READS));
    JsonNode json = new ObjectMapper().readTree(report().toFile());
    int scans = json.path("reads").asInt();
    assertTrue(scans >= 2 && scans <= 1000 / PAUSE_MS, json.toString());
    assertTrue(json.path("max_ms").asDouble() > 0, json.toString());
    assertEquals(
        json.path("reads_per_s").asDouble() * READS * LENGTH / 1e6,
        json.path("mb_per_s").asDouble(),
        1e-9,
        json.toString());
  }

  @Test
  void filesThatAreTooShortAreRefused() throws IOException {
    assertNotEquals(0, run(READS * LENGTH - 1, READS));
    assertFalse(Files.exists(report()));
  }

  @Test
  void aTimeWithoutAnyScanIsNoMeasurement() throws IOException {
    assertNotEquals(0, run(READS * LENGTH, READS, 4_000));
    assertFalse(Files.exists(report()));
  }

  @Test
  void aScanWithoutReadsIsRefused() throws IOException {
    assertNotEquals(0, run(LENGTH, 0));
    assertFalse(Files.exists(report()));
  }
}
