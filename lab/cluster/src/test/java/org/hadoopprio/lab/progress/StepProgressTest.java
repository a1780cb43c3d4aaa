// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StepProgressTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private long now;

  private StepProgress progress(boolean terminal) {
    return new StepProgress(
        new PrintStream(shown, true, StandardCharsets.UTF_8), terminal, 2, () -> now);
  }

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private String shown() {
    return shown.toString(StandardCharsets.UTF_8);
  }

  @Test
  void stepsAreNumberedAndEndWithTheirResult() {
    StepProgress progress = progress(false);
    progress.begin("load");
    pass(2_000);
    progress.done("400 MB");
    progress.begin("read");
    progress.done("1000 reads");
    assertEquals(
        "[1/2] load: ...\n[1/2] load: 400 MB (2 s)\n"
            + "[2/2] read: ...\n[2/2] read: 1000 reads (0 s)\n",
        shown());
  }

  @Test
  void aTerminalShowsTheTimeLeft() {
    StepProgress progress = progress(true);
    progress.begin("load");
    progress.at(0.5, "200 of 400 MB");
    pass(3_000);
    progress.at(0.6, "240 of 400 MB");
    // A tenth took 3 s, so the other four take 12 s.
    assertTrue(
        shown().endsWith("\r\033[K[1/2] load:  60 %, 240 of 400 MB, about 12 s left"), shown());
  }

  @Test
  void withoutPaceThereIsNoTimeLeft() {
    StepProgress progress = progress(true);
    progress.begin("load");
    pass(300);
    progress.at(0.5, "200 of 400 MB");
    assertTrue(shown().endsWith("200 of 400 MB, time left not known yet"), shown());
  }

  @Test
  void aWaitTellsWhenItTakesLongerThanUsual() {
    StepProgress progress = progress(true);
    progress.begin("start");
    pass(300);
    progress.waiting("daemons start", 60);
    assertTrue(shown().endsWith("daemons start, about 1 min 0 s left"), shown());
    pass(300);
    progress.waiting("daemons start", 0.2);
    assertTrue(shown().endsWith("daemons start, longer than the usual 0 s"), shown());
  }

  @Test
  void elsewhereThereAreFewLines() {
    StepProgress progress = progress(false);
    progress.begin("load");
    for (int i = 0; i < 1000; i++) {
      progress.at(i / 1000.0, "part " + i);
    }
    assertEquals("[1/2] load: ...\n", shown());
  }

  @Test
  void timesAreForPeople() {
    assertEquals("59 s", StepProgress.seconds(59.4));
    assertEquals("2 min 5 s", StepProgress.seconds(125));
  }
}
