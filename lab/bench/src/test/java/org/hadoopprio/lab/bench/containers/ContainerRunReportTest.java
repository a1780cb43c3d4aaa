// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ContainerRunReportTest {

  private static final String VERSION = "0.1.0";

  private static ContainerRunReport.Phase phase(
      String requests, long micros, long failures, DataNodeCounts... dataNodes) {
    Histogram latencies = new Histogram(3);
    latencies.recordValueWithCount(micros, 50);
    return new ContainerRunReport.Phase(
        requests, "idle", latencies, failures, 10, List.of(dataNodes));
  }

  private static DataNodeCounts patched(long realtime, long refused) {
    return new DataNodeCounts("datanode-1", VERSION, realtime, 3, refused, 1 << 20);
  }

  private static DataNodeCounts stock() {
    return new DataNodeCounts("datanode-3", "", 0, 0, 0, 2 << 20);
  }

  @Test
  void bothPhasesAndAllDataNodesAreInTheTables() {
    ContainerRunReport report =
        new ContainerRunReport(
            phase("no priority", 200_000, 0, patched(0, 0), stock()),
            phase("rt:0", 20_000, 0, patched(40, 0), stock()));
    assertEquals(List.of(), report.problems());
    String tables = report.tables();
    assertTrue(tables.matches("(?s).*no priority +idle +50 +0 +5\\.0/s +20\\d\\.\\d.*"), tables);
    assertTrue(tables.matches("(?s).*rt:0 +idle +50 +0 +5\\.0/s +20\\.\\d.*"), tables);
    assertTrue(tables.matches("(?s).*datanode-1 +0\\.1\\.0 +rt:0 +40 +3 +0 +1\\.0\n.*"), tables);
    assertTrue(tables.matches("(?s).*datanode-3 +no: stock +rt:0 +- +- +- +2\\.0\n.*"), tables);
  }

  @Test
  void whatMustNotBeIsAProblem() {
    ContainerRunReport.Phase good = phase("no priority", 1000, 0, patched(0, 0), stock());
    assertProblem("3 Gets failed", good, phase("rt:0", 1000, 3, patched(1, 0)));
    assertProblem("granted no real-time", good, phase("rt:0", 1000, 0, patched(0, 0)));
    assertProblem("refused 2", good, phase("rt:0", 1000, 0, patched(5, 2)));
    assertProblem("no DataNode has hadoop-prio", good, phase("rt:0", 1000, 0, stock()));
    assertProblem(
        "carry no priority",
        phase("no priority", 1000, 0, patched(1, 0)),
        phase("rt:0", 1000, 0, patched(1, 0)));
  }

  private static void assertProblem(
      String text, ContainerRunReport.Phase first, ContainerRunReport.Phase second) {
    List<String> problems = new ContainerRunReport(first, second).problems();
    assertEquals(1, problems.size(), problems.toString());
    assertTrue(problems.get(0).contains(text), problems.toString());
  }

  @Test
  void aDataNodeWithoutTheBeanIsStock() throws Exception {
    ObjectMapper json = new ObjectMapper();
    DataNodeCounts counts =
        DataNodeCounts.of("a", json.readTree("[]"), json.readTree("[{\"BytesRead\": 7}]"));
    assertFalse(counts.isPatched());
    assertEquals(7, counts.bytesRead());
    DataNodeCounts with =
        DataNodeCounts.of(
            "a",
            json.readTree("[{\"Version\": \"1\", \"GrantedRealtime\": 2, \"GrantedIdle\": 3}]"),
            json.readTree("[]"));
    assertTrue(with.isPatched());
    assertEquals(2, with.realtime());
    assertEquals(3, with.since(counts).idle());
  }
}
