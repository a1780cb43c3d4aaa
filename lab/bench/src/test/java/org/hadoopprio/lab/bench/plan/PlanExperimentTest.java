// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopprio.lab.bench.experiment.ExperimentRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanExperimentTest {

  private static final String NAME = "ownwork";

  @TempDir private Path out;

  private static PlanExperiment experiment(String text) {
    return new ShippedPlan(PlanReader.read(NAME, "own.yaml", text), 1).experiment();
  }

  /** A result of another version of a plan is not mixed with one of this version. */
  @Test
  void whatHasChangedSinceIsNamedWithItsLine() throws IOException {
    String text = ShippedPlan.text(NAME);
    ObjectNode run = new ObjectMapper().createObjectNode().put("experiment", NAME).put("seed", 1);
    ObjectNode settings = run.putObject("settings");
    experiment(text).settings().forEach(settings::put);
    Files.writeString(out.resolve("run.json"), run.toString());
    PlanExperiment changed = experiment(text.replace("rate: 10,", "rate: 20,"));
    IOException refused =
        assertThrows(
            IOException.class,
            () ->
                new ExperimentRunner(changed, out, Optional.empty(), "bench", System.err, false)
                    .run());
    int line = 1 + (int) text.lines().takeWhile(each -> !each.contains("rate: 10")).count();
    assertTrue(
        refused
            .getMessage()
            .contains("loads.puts.rate (own.yaml:" + line + ") is 10 there, and 20 now"),
        refused.getMessage());
  }

  @Test
  void whatIsSaidOfResultsMayChange() throws IOException {
    String text = ShippedPlan.text(NAME);
    String other = text.replace("compaction >= 2", "compaction >= 3").replace("p50 ms:", "half:");
    assertEquals(experiment(text).settings(), experiment(other).settings());
  }

  @Test
  void resultsOfOneDriveOrLengthAreNotContinuedWithAnother() throws IOException {
    Plan plan = ShippedPlan.read(NAME);
    Map<String, String> settings = experiment(ShippedPlan.text(NAME)).settings();
    assertEquals("write-back", settings.get("drive"));
    assertEquals("60", settings.get("conditions.compaction.seconds"));
    assertEquals("20", settings.get("conditions.alone.seconds"));
    Choice.Wish wish =
        new Choice.Wish(true, List.of(), List.of(), Optional.empty(), Optional.of("write-through"));
    Map<String, String> others =
        ShippedPlan.experiment(plan, wish, 1, Path.of("unused")).settings();
    assertEquals("write-through", others.get("drive"));
    assertEquals("30", others.get("conditions.compaction.seconds"));
    assertEquals(settings.keySet(), others.keySet());
  }
}
