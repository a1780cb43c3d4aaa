// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan measured against another release. */
class AgainstTest {

  private static final String TABLE = "Each system / the same of the other release";

  @TempDir private Path release;

  private Plan plan() throws IOException {
    Files.createFile(release.resolve("hdfs-prio-agent.jar"));
    Files.createFile(release.resolve("hbase-prio.jar"));
    return Against.of(ShippedPlan.read("mixed"), release);
  }

  private static Optional<ReportTable> table(Findings findings) {
    return findings.tables().stream().filter(table -> table.title().equals(TABLE)).findFirst();
  }

  @Test
  void eachSystemWithTheAgentHasATwin() throws IOException {
    Plan plan = plan();
    assertEquals(Optional.of(release), plan.systems().get("host-local-before").daemons().release());
    assertEquals(Optional.empty(), plan.systems().get("host-local").daemons().release());
    assertTrue(plan.systems().get("host-local-before").daemons().shortCircuit());
    assertFalse(plan.systems().containsKey("stock-before"));
    Plan.Condition open = plan.conditions().get("open");
    assertTrue(open.systems().containsAll(List.of("host", "host-before", "stock")));
    assertEquals(
        List.of("stock", "bound", "host", "host-before", "full", "full-before"),
        open.quick().systems());
  }

  @Test
  void aSystemIsMeasuredNextToItsTwin() throws IOException {
    Plan plan = plan();
    PlanExperiment experiment = ShippedPlan.experiment(plan, ShippedPlan.ask(true), 2, release);
    List<String> systems =
        experiment.order(experiment.plan(), 1).stream()
            .filter(cell -> cell.factor("condition").equals("open"))
            .map(cell -> cell.factor("system"))
            .collect(Collectors.toList());
    List<String> first = List.of("stock", "bound", "host", "host-before", "full", "full-before");
    assertEquals(first, systems.subList(0, 6));
    assertEquals(
        List.of("full-before", "full", "host-before", "host", "bound", "stock"),
        systems.subList(6, 12));
    assertEquals(
        List.of("host", "host-before", "stock"),
        Against.withTwins(List.of("host", "stock"), plan.systems()));
  }

  @Test
  void aSystemIsComparedWithItsTwin() throws IOException {
    Findings findings =
        new ShippedPlan(plan(), 3)
            .with("host gets.mean_ms", 30)
            .with("host-before gets.mean_ms", 20)
            .findings();
    ReportTable table = table(findings).orElseThrow();
    int mean = table.columns().indexOf("mean ms");
    List<String> row =
        table.rows().stream()
            .filter(each -> each.subList(0, 2).equals(List.of("open", "host")))
            .findFirst()
            .orElseThrow();
    assertTrue(row.get(mean).startsWith("1.5"), row.toString());
  }

  @Test
  void aPlanAloneIsComparedWithNothing() throws IOException {
    assertTrue(table(new ShippedPlan(ShippedPlan.read("mixed"), 3).findings()).isEmpty());
  }

  @Test
  void aDirectoryThatIsNoReleaseIsRefused() throws IOException {
    Plan mixed = ShippedPlan.read("mixed");
    String message =
        assertThrows(IllegalArgumentException.class, () -> Against.of(mixed, release)).getMessage();
    assertTrue(message.contains(release.toString()) && message.contains("allowed"), message);
  }
}
