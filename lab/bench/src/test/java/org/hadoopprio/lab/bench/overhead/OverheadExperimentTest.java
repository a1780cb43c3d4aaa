// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.junit.jupiter.api.Test;

class OverheadExperimentTest {

  private static final Set<OverheadPart> ALL = EnumSet.allOf(OverheadPart.class);

  private static OverheadExperiment experiment(Set<OverheadPart> parts, int repetitions) {
    return new OverheadExperiment(parts, repetitions, true, Path.of("unused"));
  }

  private static List<String> ids(Set<OverheadPart> parts, int repetitions) {
    return experiment(parts, repetitions).plan().stream()
        .map(Cell::id)
        .collect(Collectors.toList());
  }

  @Test
  void partsCanBeLeftOutAndMoreRoundsKeepWhatIsMeasured() {
    assertEquals(3 + 10, ids(ALL, 0).size());
    assertEquals(List.of("task_r1", "task_r2"), ids(Set.of(OverheadPart.TASK), 2));
    assertTrue(ids(ALL, 12).containsAll(ids(ALL, 0)));
    assertEquals(experiment(ALL, 0).settings(), experiment(ALL, 12).settings());
  }

  /** A read takes 100 µs in mode off, of which the client has 60; the states add what is said. */
  private static ObjectNode reads(double observe, double turns, double hint) {
    ObjectNode measured = JsonNodeFactory.instance.objectNode();
    Map<State, Double> microseconds =
        Map.of(
            State.OFF, 100.0,
            State.OBSERVE, 100 + observe,
            State.TURNS, 100 + turns,
            State.HINT, 100 + turns + hint);
    for (State state : State.values()) {
      for (int i = 0; i < 2; i++) {
        measured
            .withArray(state.label())
            .addObject()
            .put("reads", 1000)
            .put("seconds", 0.2)
            .put("client_cpu_s", 0.06)
            .put("daemon_cpu_s", microseconds.get(state) / 1e3 - 0.06);
      }
    }
    return measured;
  }

  private static Findings findings(OverheadPart part, ObjectNode... rounds) {
    List<CellResult> results = new ArrayList<>();
    for (Cell cell : experiment(Set.of(part), rounds.length).plan()) {
      results.add(new CellResult(cell, rounds[cell.repetition() - 1]));
    }
    return experiment(Set.of(part), rounds.length).evaluate(results);
  }

  @Test
  void eachStateIsComparedWithTheOneBeforeItInTheSameProcesses() {
    Findings findings =
        findings(OverheadPart.READS, reads(1, 2, 5), reads(1.1, 2.1, 5.1), reads(0.9, 1.9, 4.9));
    List<Target> targets = findings.targets();
    assertEquals(1, targets.get(0).measured().getAsDouble(), 1e-6);
    assertEquals(2, targets.get(1).measured().getAsDouble(), 1e-6);
    assertEquals(5, targets.get(2).measured().getAsDouble(), 1e-6);
    assertEquals(
        List.of(Target.State.MET, Target.State.MET, Target.State.MISSED),
        targets.stream().map(Target::state).collect(Collectors.toList()));
    assertEquals(4, findings.tables().get(0).rows().size());
  }

  @Test
  void noiseThatReachesTheBoundDecidesNothing() {
    Findings findings =
        findings(OverheadPart.READS, reads(-10, 2, 5), reads(20, 2, 5), reads(0, 2, 5));
    assertEquals(Target.State.UNDETERMINED, findings.targets().get(0).state());
  }

  private static ObjectNode starts(double stock, double agent) {
    ObjectNode measured = JsonNodeFactory.instance.objectNode();
    measured.putObject("stock").put("seconds", 1).put("cpu_s", stock);
    measured.putObject("agent").put("seconds", 2).put("cpu_s", agent);
    return measured;
  }

  @Test
  void startsAreComparedRoundByRound() {
    Findings met = findings(OverheadPart.TASK, starts(2, 2.4), starts(3, 3.41), starts(2.5, 2.89));
    assertTrue(met.targets().get(0).met(), met.targets()::toString);
    Findings missed =
        findings(OverheadPart.TASK, starts(2, 2.9), starts(3, 3.91), starts(2.5, 3.39));
    assertTrue(missed.targets().get(0).missed(), missed.targets()::toString);
    assertEquals(3, missed.tables().get(0).rows().size());
  }

  @Test
  void nothingMeasuredIsNoTargetMet() {
    Findings findings = experiment(ALL, 1).evaluate(List.of());
    assertTrue(findings.targets().stream().noneMatch(Target::met));
    assertTrue(findings.tables().isEmpty());
  }

  @Test
  void aProcessHasCpuTimeUntilItEnds() throws IOException, InterruptedException {
    assertTrue(ProcessCpu.seconds(ProcessHandle.current().pid()) > 0);
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    assertThrows(IOException.class, () -> ProcessCpu.seconds(ended.pid()));
  }
}
