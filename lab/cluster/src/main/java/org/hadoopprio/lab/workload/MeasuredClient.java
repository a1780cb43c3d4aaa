// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.lab.cluster.ClientCommand;
import org.hadoopprio.lab.progress.Pauses;

/**
 * A client process that measures how long its operations take ({@link MeasuredRun}), as its parent
 * sees it. For one thread, except that {@link #close} may be called by another.
 */
public final class MeasuredClient implements Closeable {

  private static final long POLL_MS = 200;
  private static final long READY_PATIENCE_MS = 180_000;
  private static final long END_PATIENCE_MS = 30_000;
  private static final String INTERRUPTED = "interrupted while a client was measuring";

  private final ChildProcess process;
  private final CountDownLatch ready;
  private final Path startFile;
  private final Path report;

  private MeasuredClient(ChildProcess process, CountDownLatch ready, Path startFile, Path report) {
    this.process = process;
    this.ready = ready;
    this.startFile = startFile;
    this.report = report;
  }

  /**
   * Starts the process; {@link #begin} waits until it is ready.
   *
   * @param name for messages
   * @param command of a class with {@link MeasuredRun}; the names of the files are added to it
   * @param directory for its log, its report and the start file
   * @param id the beginning of these files' names, used once
   */
  public static MeasuredClient start(String name, ClientCommand command, Path directory, String id)
      throws IOException {
    Path startFile = directory.resolve(id + "-start");
    Path report = directory.resolve(id + "-client.json");
    command.addArguments("--start-file", startFile.toString(), "--report", report.toString());
    CountDownLatch ready = new CountDownLatch(1);
    ChildProcess process =
        ChildProcess.start(
            name,
            command.toProcessBuilder(),
            directory.resolve(id + "-client.log"),
            line -> {
              if (line.equals(MeasuredRun.READY)) {
                ready.countDown();
              }
            });
    return new MeasuredClient(process, ready, startFile, report);
  }

  /**
   * Waits until the process is ready, and lets it begin.
   *
   * @param rampSeconds how long it works before it measures
   * @return when measuring begins, in milliseconds since the epoch
   */
  public long begin(int rampSeconds) throws IOException {
    if (!Pauses.await(READY_PATIENCE_MS, this::isReady)) {
      throw process.failure("is not ready after " + READY_PATIENCE_MS / 1000 + " s");
    }
    long from = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(rampSeconds);
    beginAt(from);
    return from;
  }

  /**
   * Whether the process is ready to begin.
   *
   * @throws IOException with the end of its output if it has ended
   */
  public boolean isReady() throws IOException {
    boolean isReady = ready.getCount() == 0;
    if (!isReady && !process.isAlive()) {
      throw process.failure("ended at once");
    }
    return isReady;
  }

  /**
   * Lets a process begin that is ready.
   *
   * @param from when measuring begins, in milliseconds since the epoch; until then it works, too
   */
  public void beginAt(long from) throws IOException {
    Path written = startFile.resolveSibling(startFile.getFileName() + ".new");
    Files.writeString(written, Long.toString(from));
    Files.move(written, startFile, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Checks that the process still works.
   *
   * @throws IOException with the end of its output if not
   */
  public void requireAlive() throws IOException {
    if (!process.isAlive()) {
      throw process.failure("ended too early");
    }
  }

  /** Waits until a time of day, and fails as soon as the process ends much earlier. */
  public void awaitTime(long millis) throws IOException {
    for (long left = millis - System.currentTimeMillis();
        left > 0;
        left = millis - System.currentTimeMillis()) {
      if (left > POLL_MS) {
        requireAlive();
      }
      Pauses.sleep(Math.min(left, POLL_MS), INTERRUPTED);
    }
  }

  /** Waits for the end of the process and returns what it has measured. */
  public JsonNode result() throws IOException {
    if (!process.await(END_PATIENCE_MS)) {
      throw process.failure("does not end");
    }
    process.requireSuccess();
    return new ObjectMapper().readTree(report.toFile());
  }

  /** Kills the process if it still runs. */
  @Override
  public void close() {
    process.close();
  }
}
