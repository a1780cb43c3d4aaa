// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentRunnerTest {

  private static final int CELLS = 6;

  @TempDir private Path parent;
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private Path out() {
    return parent.resolve("out");
  }

  private ExperimentRunner runner(Experiment experiment, Optional<Long> seed) {
    return new ExperimentRunner(
        experiment,
        out(),
        seed,
        "bin/hprio bench sample",
        new PrintStream(shown, true, StandardCharsets.UTF_8),
        false);
  }

  private RunResult run(Experiment experiment) throws IOException {
    return runner(experiment, Optional.of(7L)).run();
  }

  private JsonNode json(String file) throws IOException {
    return new ObjectMapper().readTree(out().resolve(file).toFile());
  }

  @Test
  void everythingIsWritten() throws IOException {
    SampleExperiment experiment = new SampleExperiment();
    RunResult result = run(experiment);

    assertEquals(CELLS, experiment.measured.size());
    assertEquals(1, experiment.prepared);
    assertTrue(experiment.closed > 0);
    assertEquals("bench sample: passed: 6 values", result.summaryLine());
    assertEquals(4, json("cells/4_r2.json").at("/measured/value").asInt());
    assertEquals("5", json("run.json").at("/settings/seconds").asText());
    assertFalse(json("run.json").at("/starts/0/machine/kernel").asText().isEmpty());
    assertEquals(CELLS, json("result.json").path("cells").size());
    assertTrue(json("result.json").at("/targets/1/measured").isNull());
    assertEquals(2, json("result.json").at("/gate/missing/max").asInt());
    assertEquals(1, json("result.json").at("/gate/missing/min").asInt());
    assertTrue(ImageIO.read(out().resolve("values.png").toFile()).getWidth() > 0);
    assertTrue(Files.exists(result.report()));
  }

  @Test
  void aCellWhoseGateDoesNotHoldIsMeasuredAgain() throws IOException {
    SampleExperiment experiment = new SampleExperiment();
    experiment.gatesToFail = 2;
    run(experiment);

    assertEquals(CELLS + 2, experiment.measured.size());
    String first = experiment.measured.get(0);
    JsonNode kept = json("cells/" + first + ".json").path("measured");
    assertTrue(kept.at("/gate/valid").asBoolean());
    assertEquals(2, kept.path("discarded_gates").size());
    assertTrue(json("result.json").path("notes").toString().contains("2 measurements were"));
  }

  @Test
  void aGateThatNeverHoldsIsKeptAndMeasuredAgainNextTime() throws IOException {
    SampleExperiment experiment = new SampleExperiment();
    experiment.gatesToFail = 3;
    run(experiment);
    String first = experiment.measured.get(0);
    assertFalse(json("cells/" + first + ".json").at("/measured/gate/valid").asBoolean(true));

    SampleExperiment later = new SampleExperiment();
    run(later);
    assertEquals(List.of(first), later.measured);
    assertTrue(json("cells/" + first + ".json").at("/measured/gate/valid").asBoolean());
  }

  @Test
  void theOrderIsRandomAndTheSeedRepeatsIt() throws IOException {
    SampleExperiment first = new SampleExperiment();
    run(first);
    Files.move(out(), parent.resolve("first"));
    SampleExperiment second = new SampleExperiment();
    run(second);
    assertEquals(first.measured, second.measured);

    Files.move(out(), parent.resolve("second"));
    SampleExperiment other = new SampleExperiment();
    runner(other, Optional.of(8L)).run();
    assertNotEquals(first.measured, other.measured);
    assertTrue(first.measured.subList(0, CELLS / 2).stream().allMatch(id -> id.endsWith("_r1")));
  }

  @Test
  void whatAFailedCellLeavesIsResumed() throws IOException {
    SampleExperiment failing = new SampleExperiment();
    failing.failing = "2_r2";
    IOException failure = assertThrows(IOException.class, () -> run(failing));
    assertTrue(
        failure.getMessage().contains("failed at cell 2_r2: the disk is gone"),
        failure.getMessage());
    assertTrue(failing.closed > 0);
    assertFalse(Files.exists(out().resolve("result.json")));
    int kept = failing.measured.size();
    assertTrue(failure.getMessage().contains(kept + " of 6 cells"), failure.getMessage());

    SampleExperiment resumed = new SampleExperiment();
    // Without a seed of its own the stored one counts.
    RunResult result = runner(resumed, Optional.empty()).run();
    assertEquals(CELLS - kept, resumed.measured.size());
    assertTrue(resumed.measured.stream().noneMatch(failing.measured::contains));
    assertEquals(Outcome.PASSED, result.outcome());
    assertEquals(2, json("run.json").path("starts").size());
  }

  @Test
  void aFinishedRunIsOnlyEvaluatedAgain() throws IOException {
    run(new SampleExperiment());
    SampleExperiment again = new SampleExperiment();
    again.required = 5;
    RunResult result = run(again);
    assertEquals(0, again.prepared);
    assertEquals(List.of(), again.measured);
    assertEquals(Outcome.FAILED, result.outcome());
  }

  @Test
  void otherSettingsAreRefusedByName() throws IOException {
    run(new SampleExperiment());
    SampleExperiment other = new SampleExperiment();
    other.settings.put("seconds", "60");
    IOException refused = assertThrows(IOException.class, () -> run(other));
    assertTrue(
        refused.getMessage().contains("seconds is 5 there, and 60 now"), refused.getMessage());

    SampleExperiment more = new SampleExperiment();
    more.settings.put("streams", "4");
    refused = assertThrows(IOException.class, () -> run(more));
    assertTrue(
        refused.getMessage().contains("streams is not set there, and 4 now"), refused.getMessage());

    refused =
        assertThrows(
            IOException.class, () -> runner(new SampleExperiment(), Optional.of(8L)).run());
    assertTrue(refused.getMessage().contains("seed is 7 there, and 8 now"), refused.getMessage());
  }

  @Test
  void aDirectoryOfSomethingElseIsRefused() throws IOException {
    Files.createDirectories(out());
    Files.writeString(out().resolve("thesis.txt"), "mine");
    IOException refused = assertThrows(IOException.class, () -> run(new SampleExperiment()));
    assertTrue(refused.getMessage().contains("is not empty"), refused.getMessage());
    assertEquals("mine", Files.readString(out().resolve("thesis.txt")));
  }

  @Test
  void aDamagedFileIsNamed() throws IOException {
    run(new SampleExperiment());
    Files.writeString(out().resolve("cells/2_r1.json"), "{\"measured\": ");
    IOException refused = assertThrows(IOException.class, () -> run(new SampleExperiment()));
    assertTrue(refused.getMessage().contains("2_r1.json is damaged"), refused.getMessage());
  }

  @Test
  void theExitCodeTellsAMissedTargetFromAnInvalidRun() throws IOException {
    SampleExperiment missed = new SampleExperiment();
    missed.required = 4.1;
    RunResult result = run(missed);
    assertEquals(1, result.outcome().exitCode());
    String failed = "bench sample: FAILED, 1 of 1 measured targets missed: 6 values";
    assertEquals(failed, result.summaryLine());

    missed.invalid = "lateness p99 is 4 ms in cell 2_r1, at most 0.5 allowed";
    result = run(missed);
    assertEquals(4, result.outcome().exitCode());
    assertEquals("bench sample: INVALID: 6 values", result.summaryLine());
    assertEquals("invalid", json("result.json").path("outcome").asText());

    missed.invalid = "";
    missed.required = 4;
    assertEquals(0, run(missed).outcome().exitCode());
  }

  @Test
  void twoRunsInOneDirectoryAreRefused() throws IOException {
    SampleExperiment experiment = new SampleExperiment();
    try (RunDirectory held = RunDirectory.open(out(), experiment, Optional.of(7L))) {
      IOException refused = assertThrows(IOException.class, () -> run(new SampleExperiment()));
      assertTrue(refused.getMessage().contains("another run is using"), refused.getMessage());
      assertEquals(7, held.seed());
    }
    run(experiment);
  }

  @Test
  void aStoppedRunKeepsItsCellsAndRemovesWhatItMade() throws Exception {
    CountDownLatch inThirdCell = new CountDownLatch(1);
    SampleExperiment experiment =
        new SampleExperiment() {
          @Override
          public ObjectNode run(Cell cell, StepLog log) throws IOException {
            if (measured.size() == 2) {
              inThirdCell.countDown();
              try {
                Thread.sleep(60_000);
              } catch (InterruptedException e) {
                throw new InterruptedIOException("interrupted");
              }
            }
            return super.run(cell, log);
          }
        };
    ExperimentRunner runner = runner(experiment, Optional.of(7L));
    Thread signal =
        new Thread(
            () -> {
              try {
                inThirdCell.await();
                runner.stop();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    signal.start();
    IOException stopped = assertThrows(IOException.class, runner::run);
    signal.join();
    assertTrue(stopped.getMessage().contains("was stopped at cell"), stopped.getMessage());
    assertTrue(stopped.getMessage().contains("2 of 6 cells"), stopped.getMessage());
    assertTrue(experiment.closed > 0);

    SampleExperiment resumed = new SampleExperiment();
    run(resumed);
    assertEquals(CELLS - 2, resumed.measured.size());
  }

  @Test
  void aSignalStopsIt() throws Exception {
    Path closed = parent.resolve("closed");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SlowExperimentMain.class.getName(),
                out().toString(),
                closed.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertEquals(SlowExperimentMain.IN_THIRD_CELL, lines.readLine());
      process.destroy();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS), "it goes on after SIGTERM");
    } finally {
      process.destroyForcibly();
    }
    assertTrue(Files.exists(closed), "what it made is left");
    SampleExperiment resumed = new SampleExperiment();
    run(resumed);
    assertEquals(CELLS - 2, resumed.measured.size());
  }

  @Test
  void progressTellsTheCellAndTheTimeLeft() throws IOException {
    run(new SampleExperiment());
    String text = shown.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("[1/7] preparation: ready, 6 cells to measure"), text);
    assertTrue(text.matches("(?s).*\\[7/7] \\d_r2: measured, the last one.*"), text);
    assertTrue(text.matches("(?s).*about \\d+ s left for all.*"), text);
  }

  @Test
  void theReportSaysWhatFollowsAndHowToRepeatIt() throws IOException {
    SampleExperiment experiment = new SampleExperiment();
    experiment.required = 5;
    RunResult result = run(experiment);
    String page = Files.readString(result.report()).replaceAll(" +", " ");
    for (String part :
        List.of(
            "# A sample\n",
            "`bin/hprio bench sample`",
            "Result: FAILED: 6 values",
            "6 of 6 cells measured, in an order by seed 7",
            "- Nothing is measured.",
            "| 4 and more |",
            "| greatest | at least 5 | 4 | missed | a paper |",
            "| other | at most 3 | | not measured | another paper |",
            "![Values](values.png)\n\nAll values.",
            "| missing | 1 | 2 | 6 |",
            "| seconds | 5 |",
            "| kernel | ",
            "\n4_r2:\n\n```\nmeasure --depth 4\n```\n")) {
      assertTrue(page.contains(part), () -> part + " is not in:\n" + page);
    }
  }
}
