// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Reads local files: the client does not mind which file system it reads. */
class SequentialReadersTest {

  private static final int LENGTH = 56 << 10;
  private static final int RAMP_MS = 500;

  @TempDir private Path directory;

  @BeforeEach
  void writeFiles() throws IOException {
    for (int i = 0; i < 3; i++) {
      Path file = directory.resolve("files").resolve(i % 2 + "").resolve("file-" + i);
      Files.createDirectories(file.getParent());
      // The last read of a file is shorter.
      Files.write(file, new byte[10 * LENGTH + 1]);
    }
  }

  private int run(int threads, long rampMillis) {
    Path start = directory.resolve("start");
    PrintStream out = System.out;
    // As the experiment does: the time begins when the client says that it is ready.
    System.setOut(
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
          @Override
          public void println(String line) {
            assertEquals(MeasuredRun.READY, line);
            try {
              Files.writeString(start, Long.toString(System.currentTimeMillis() + rampMillis));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        });
    try {
      return new CommandLine(new SequentialReaders())
          .execute(
              "--directory", directory.resolve("files").toString(),
              "--length", Integer.toString(LENGTH),
              "--threads", Integer.toString(threads),
              "--start-file", start.toString(),
              "--seconds", "1",
              "--report", report().toString());
    } finally {
      System.setOut(out);
    }
  }

  private Path report() {
    return directory.resolve("report.json");
  }

  @Test
  void itReadsFilesAgainAndAgainForTheTimeGiven() throws IOException {
    long begin = System.nanoTime();
    assertEquals(0, run(2, RAMP_MS));
    double seconds = (System.nanoTime() - begin) / 1e9;
    assertTrue(seconds > 1 + RAMP_MS / 1e3, seconds + " s");
    JsonNode json = new ObjectMapper().readTree(report().toFile());
    double reads = json.path("reads_per_s").asDouble();
    assertTrue(reads > 33, "each file at least once: " + json);
    // Ten of eleven reads are whole.
    assertEquals(10.0 / 11, json.path("mb_per_s").asDouble() * 1e6 / reads / LENGTH, 0.05);
    assertEquals(reads, json.path("reads").asDouble(), 4);
    assertTrue(json.path("p95_ms").asDouble() >= json.path("p50_ms").asDouble(), json.toString());
    assertTrue(json.path("max_ms").asDouble() > 0, json.toString());
  }

  @Test
  void moreThreadsThanFilesAreRefused() {
    assertNotEquals(0, run(4, RAMP_MS));
    assertFalse(Files.exists(report()));
  }

  @Test
  void aTimeThatHasPassedIsRefused() {
    assertNotEquals(0, run(2, -RAMP_MS));
    assertFalse(Files.exists(report()));
  }
}
