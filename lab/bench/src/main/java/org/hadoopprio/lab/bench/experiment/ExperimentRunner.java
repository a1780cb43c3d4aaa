// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.hadoopprio.lab.bench.experiment.report.Figure;
import org.hadoopprio.lab.bench.experiment.report.FigureImage;
import org.hadoopprio.lab.progress.StepProgress;

/**
 * Measures the cells of an experiment that are not measured yet, draws the conclusions and writes
 * the report. Measured cells are kept whatever happens later; starting a stopped run again resumes
 * it. For one run; {@link #stop} may be called by another thread.
 */
public final class ExperimentRunner {

  /** How many times a cell is measured again if its validity gate does not hold. */
  private static final int MAX_REPEATS = 2;

  /** How long a stopped cell may take to end before its disk and cluster are removed. */
  private static final long STOP_PATIENCE_S = 20;

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Experiment experiment;
  private final Path out;
  private final Optional<Long> seed;
  private final String command;
  private final PrintStream progress;
  private final boolean terminal;
  private final CountDownLatch measured = new CountDownLatch(1);
  private volatile Thread measuring;
  private volatile boolean stopped;

  /**
   * A runner.
   *
   * @param out the directory of the results
   * @param seed of the random order; empty for the stored one, or for any in a new directory
   * @param command the command line that makes these results, for the report
   * @param progress where progress is shown
   * @param terminal whether that is a terminal
   */
  public ExperimentRunner(
      Experiment experiment,
      Path out,
      Optional<Long> seed,
      String command,
      PrintStream progress,
      boolean terminal) {
    this.experiment = experiment;
    this.out = out;
    this.seed = seed;
    this.command = command;
    this.progress = progress;
    this.terminal = terminal;
  }

  /**
   * Runs it to the end.
   *
   * @throws IOException if the directory holds other results, or a cell fails or is stopped; what
   *     was measured before is kept
   */
  public RunResult run() throws IOException {
    try (RunDirectory directory = RunDirectory.open(out, experiment, seed)) {
      List<Cell> plan = experiment.plan();
      requireDistinct(plan);
      List<Cell> missing = new ArrayList<>();
      for (Cell cell : plan) {
        if (!directory.isValid(cell)) {
          missing.add(cell);
        }
      }
      if (missing.isEmpty()) {
        progress.println(
            "all " + plan.size() + " cells in " + out + " are already measured; evaluating them");
      } else {
        measure(directory, plan, experiment.order(missing, directory.seed()));
      }
      return conclude(directory, plan);
    }
  }

  private static void requireDistinct(List<Cell> plan) {
    long distinct = plan.stream().map(Cell::id).distinct().count();
    if (distinct != plan.size()) {
      throw new IllegalArgumentException("two cells of the plan have the same id");
    }
  }

  private void measure(RunDirectory directory, List<Cell> plan, List<Cell> order)
      throws IOException {
    measuring = Thread.currentThread();
    Thread hook = new Thread(this::stop, "stop-" + experiment.name());
    Runtime.getRuntime().addShutdownHook(hook);
    Position position = new Position(plan.size() - order.size());
    try (Experiment open = experiment) {
      directory.started(Machine.describe());
      measure(directory, order, position);
    } catch (IOException e) {
      throw new IOException(
          String.format(
              "bench %s %s at %s: %s%n%d of %d cells are measured and kept in %s;"
                  + " the same command resumes the run",
              experiment.name(),
              stopped ? "was stopped" : "failed",
              position.at,
              e.getMessage(),
              position.done,
              plan.size(),
              out),
          e);
    } finally {
      measured.countDown();
      removeHook(hook);
    }
  }

  /** How far a run is. */
  private static final class Position {
    private int done;
    private String at = "preparation";

    Position(int done) {
      this.done = done;
    }
  }

  private void measure(RunDirectory directory, List<Cell> order, Position position)
      throws IOException {
    CellProgress shown =
        new CellProgress(new StepProgress(progress, terminal, order.size() + 1), order);
    if (position.done > 0) {
      progress.println(position.done + " cells are already measured");
    }
    try {
      shown.beginPreparation();
      experiment.prepare(shown);
      shown.endPreparation();
      for (Cell cell : order) {
        position.at = "cell " + cell.id();
        measure(directory, cell, shown);
        position.done++;
      }
    } finally {
      if (stopped) {
        // What removes the experiment's parts must not be interrupted too.
        Thread.interrupted();
      }
    }
  }

  private void measure(RunDirectory directory, Cell cell, CellProgress shown) throws IOException {
    if (stopped) {
      throw new IOException("stopped");
    }
    shown.begin(cell);
    Instant start = Instant.now();
    long startNanos = System.nanoTime();
    ObjectNode result = runUntilValid(cell, shown);
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    directory.add(cell, start, seconds, result);
    shown.end(cell, seconds);
  }

  /**
   * Repeats a cell while its validity gate does not hold: the gate judges the instrument, not the
   * result. The gates of discarded measurements are kept in the result.
   */
  private ObjectNode runUntilValid(Cell cell, StepLog log) throws IOException {
    ObjectNode result = experiment.run(cell, log);
    ArrayNode discarded = result.arrayNode();
    while (!Gates.hold(result) && discarded.size() < MAX_REPEATS && !stopped) {
      discarded.add(result.path(Gates.FIELD));
      log.say("the validity gate does not hold, measuring again: " + Gates.reasons(result));
      result = experiment.run(cell, log);
    }
    if (!discarded.isEmpty()) {
      result.set(Gates.DISCARDED, discarded);
    }
    return result;
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook is what ends this run.
    }
  }

  /** Interrupts the measuring and removes what the experiment made; for Ctrl-C. */
  void stop() {
    stopped = true;
    Thread running = measuring;
    if (running != null) {
      running.interrupt();
    }
    try {
      if (!measured.await(STOP_PATIENCE_S, TimeUnit.SECONDS)) {
        progress.println("the cell does not end; removing what it uses anyway");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      experiment.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunResult conclude(RunDirectory directory, List<Cell> plan) throws IOException {
    List<CellResult> results = directory.results(plan);
    Findings findings = experiment.evaluate(results);
    int discarded = results.stream().mapToInt(r -> r.measured().path(Gates.DISCARDED).size()).sum();
    if (discarded > 0) {
      findings.note(
          discarded
              + " measurements were discarded and repeated because the validity gate did not hold;"
              + " result.json has their gates.");
    }
    JsonNode json =
        ResultJson.of(experiment, findings, directory.run(), directory.files(plan), command);
    directory.write(
        "result.json", (JSON.writeValueAsString(json) + "\n").getBytes(StandardCharsets.UTF_8));
    for (Figure figure : findings.figures()) {
      try {
        directory.write(figure.id() + ".png", FigureImage.png(List.of(figure)));
      } catch (IOException e) {
        // The tables have all that a figure shows.
        findings.note("Figure " + figure.id() + " is not drawn: " + e.getMessage());
      }
    }
    directory.write("report.md", ReportText.page(json, findings).getBytes(StandardCharsets.UTF_8));
    Path report = directory.path().resolve("report.md");
    return new RunResult(experiment.name(), findings, json, report);
  }
}
