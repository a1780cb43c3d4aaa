// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** How long processes take to start; each round has one start with the agent and one without. */
final class StartUps {

  private static final String STOCK = "stock";
  private static final String AGENT = "agent";
  private static final String SECONDS = "seconds";
  private static final String CPU = "cpu_s";

  private final List<CellResult> rounds;

  /** Of these rounds. */
  StartUps(List<CellResult> rounds) {
    this.rounds = rounds;
  }

  /** Starts a process. */
  @FunctionalInterface
  interface Start {
    StartUp of(boolean agent) throws IOException;
  }

  /** Measures a round; the order of the two changes from round to round. */
  static ObjectNode measure(int round, Start start) throws IOException {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    boolean agentFirst = round % 2 == 0;
    for (boolean agent : new boolean[] {agentFirst, !agentFirst}) {
      StartUp done = start.of(agent);
      result
          .putObject(agent ? AGENT : STOCK)
          .put(SECONDS, done.seconds())
          .put(CPU, done.cpuSeconds());
    }
    return result;
  }

  boolean isEmpty() {
    return rounds.isEmpty();
  }

  ReportTable table(String title) {
    ReportTable table = new ReportTable(title, List.of("", "seconds", "CPU, s"));
    for (String which : List.of(STOCK, AGENT)) {
      table.row(List.of(which, mean(which, SECONDS).plusMinus(), mean(which, CPU).plusMinus()));
    }
    return table.row(List.of("the agent adds", added(SECONDS).plusMinus(), added(CPU).plusMinus()));
  }

  private Estimate mean(String which, String field) {
    return estimate(round -> value(round, which, field));
  }

  private Estimate added(String field) {
    return estimate(round -> value(round, AGENT, field) - value(round, STOCK, field));
  }

  /** CPU seconds that the agent adds; empty where nothing was measured. */
  Optional<Estimate> addedCpu() {
    return isEmpty() ? Optional.empty() : Optional.of(added(CPU));
  }

  private Estimate estimate(ToDoubleFunction<CellResult> value) {
    return Estimate.of(rounds.stream().mapToDouble(value).boxed().collect(Collectors.toList()));
  }

  private static double value(CellResult round, String which, String field) {
    return round.number("/" + which + "/" + field);
  }
}
