package org.hadoopprio.lab.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.junit.jupiter.api.Test;

class OverheadExperimentTest {

  private static OverheadExperiment experiment(OverheadSettings settings) {
    return new OverheadExperiment(settings, Path.of("unused"));
  }

  @Test
  void startsEndTheClientsWorkSoTheyComeAfterItAndHBaseComesLast() {
    OverheadExperiment experiment =
        experiment(new OverheadSettings(2, 1, 2, 1, 1, 1, 0, 0, SchedulerScale.NONE, 0));
    List<String> order =
        experiment.order(experiment.plan(), 7).stream().map(Cell::id).collect(Collectors.toList());
    assertEquals(9, order.size());
    assertEquals(List.of("startup_r1", "get_r1"), order.subList(3, 5));
    assertEquals("startup_r2", order.get(8));
    assertEquals(
        new HashSet<>(List.of("read_r1", "write_r1", "pread_r1")),
        new HashSet<>(order.subList(0, 3)));
  }

  @Test
  void moreRoundsKeepWhatIsMeasured() {
    OverheadSettings more = OverheadSettings.full().rounds(9);
    assertEquals(experiment(OverheadSettings.full()).settings(), experiment(more).settings());
    List<String> ids = ids(more);
    assertTrue(ids.containsAll(ids(OverheadSettings.full())));
    assertTrue(ids.contains("get_r9"));
  }

  @Test
  void enginesAndSchedulerComeLastInARoundAndPartsCanBeLeftOut() {
    OverheadSettings all =
        new OverheadSettings(1, 1, 0, 1, 1, 1, 2, 1, new SchedulerScale(1, 1, 1, 1, 1), 1);
    OverheadExperiment experiment = experiment(all);
    List<String> order =
        experiment.order(experiment.plan(), 7).stream().map(Cell::id).collect(Collectors.toList());
    assertEquals(1 + 4 + 2 * ReadKind.values().length + 4, order.size());
    assertEquals("task-start_r1", order.get(0), "before daemons run");
    assertEquals("get_r1", order.get(4));
    assertTrue(order.subList(5, 9).contains("64k-uncached_r1"), order::toString);
    assertTrue(order.subList(9, 12).contains("scheduler-device_r1"), order::toString);
    assertEquals("scheduler-held_r1", order.get(12), "its threads and memory come last");
    assertEquals(
        List.of("get_r1", "pread_r1", "read_r1", "write_r1"),
        ids(all.only(Set.of(OverheadPart.HINTS))).stream().sorted().collect(Collectors.toList()));
    assertEquals(8, ids(all.only(Set.of(OverheadPart.ENGINES))).size());
    assertEquals(4, ids(all.only(Set.of(OverheadPart.SCHEDULER))).size());
    assertEquals(List.of("task-start_r1"), ids(all.only(Set.of(OverheadPart.TASKS))));
    assertEquals(
        experiment.settings(), experiment(all.only(Set.of(OverheadPart.HINTS))).settings());
  }

  private static List<String> ids(OverheadSettings settings) {
    return experiment(settings).plan().stream()
        .map(Cell::id)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  @Test
  void aProcessHasCpuTime() throws IOException {
    assertTrue(ProcessCpu.seconds(ProcessHandle.current().pid()) > 0);
    assertThrows(IOException.class, () -> ProcessCpu.seconds(0));
  }

  @Test
  void jarsOfADirectoryAreToldOnce() {
    assertEquals(
        "java -cp '/conf:/lib/*:/classes' Main",
        CommandLines.shorten(
            List.of("java", "-cp", "/conf:/lib/a.jar:/lib/b.jar:/classes", "Main")));
  }
}
