package org.hadoopprio.bench.overhead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.bench.experiment.Cell;
import org.junit.jupiter.api.Test;

class OverheadExperimentTest {

  private static OverheadExperiment experiment(OverheadSettings settings) {
    return new OverheadExperiment(settings, Path.of("unused"));
  }

  @Test
  void startsEndTheClientsWorkSoTheyComeAfterItAndHBaseComesLast() {
    OverheadExperiment experiment = experiment(new OverheadSettings(2, 1, 2, 1, 1, 1));
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

  private static List<String> ids(OverheadSettings settings) {
    return experiment(settings).plan().stream()
        .map(Cell::id)
        .collect(Collectors.toCollection(ArrayList::new));
  }

  @Test
  void cpuTimeIsReadBehindTheName() throws IOException {
    String stat = "7 (a (b) c) S 1 7 7 0 -1 0 1 2 3 4 250 50 9 9 20 0 1 0 5 6 7";
    assertEquals(3.0, ProcessCpu.parse(stat), 1e-9);
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
