// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/**
 * What all client processes have in common that measure how long their operations take: the
 * agreement with their parent ({@link MeasuredClient}) on when to begin, and the report. The
 * process says {@link #READY}; its parent then writes the start file. Not thread-safe.
 */
public final class MeasuredRun {

  /** The line that the process prints when it is ready to begin. */
  public static final String READY = "ready";

  private static final long POLL_MS = 50;

  @Option(
      names = "--start-file",
      required = true,
      description =
          "The work begins when this file is there; it holds the milliseconds since the epoch at"
              + " which measuring begins.")
  private Path startFile;

  @Option(names = "--seconds", required = true, description = "How long to measure.")
  private int seconds;

  @Option(names = "--report", required = true, description = "JSON file for the result.")
  private Path report;

  MeasuredRun() {}

  /**
   * Says that the process is ready and returns when it may begin.
   *
   * @throws IllegalArgumentException if the time to measure has begun before
   */
  MeasuredWindow awaitStart() throws IOException, InterruptedException {
    System.out.println(READY);
    while (!Files.exists(startFile)) {
      Thread.sleep(POLL_MS);
    }
    long start = Long.parseLong(Files.readString(startFile));
    return MeasuredWindow.at(start, TimeUnit.SECONDS.toNanos(seconds));
  }

  /** Writes the result. */
  void report(ReadLatencies latencies) throws IOException {
    report(latencies.toJson());
  }

  /** The same with what a client adds to it. */
  void report(ObjectNode result) throws IOException {
    new ObjectMapper().writeValue(report.toFile(), result);
  }
}
