// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What a read costs in each state. */
final class ReadsFindings {

  /** Microseconds of CPU time that a state may add to a read. */
  static final double MAX_ADDED_US = 3;

  private static final double US_PER_S = 1e6;
  private static final String SOURCE = "the project's aim";

  private final List<CellResult> rounds;

  /** Of these rounds, each with processes of its own. */
  ReadsFindings(List<CellResult> rounds) {
    this.rounds = rounds;
  }

  void addTo(Findings findings) {
    findings
        .add(target("mode observe adds to a read", State.OBSERVE, State.OFF))
        .add(target("mode turns adds to a read without a priority", State.TURNS, State.OFF))
        .add(target("a priority adds to a read", State.HINT, State.TURNS));
    if (!rounds.isEmpty()) {
      findings
          .add(table())
          .note(
              "Reads: one thread, 16 KiB at random positions of a file in the page cache. One"
                  + " DataNode and one client serve all states, which take turns; a round has new"
                  + " processes, and the interval is over rounds. CPU time is that of both processes"
                  + " by their clocks. Mode off is stock HDFS but for the woven hooks.");
    }
  }

  private Target target(String what, State state, State base) {
    return Target.of(
        "CPU time that " + what + ", µs",
        Target.Bound.AT_MOST,
        MAX_ADDED_US,
        rounds.isEmpty()
            ? Optional.empty()
            : Optional.of(added(state, base)).filter(Estimate::hasInterval),
        SOURCE);
  }

  /** Microseconds of CPU time for a read in a state, less that in another. */
  Estimate added(State state, State base) {
    return estimate(round -> (cpu(round, state) - cpu(round, base)) * US_PER_S);
  }

  private ReportTable table() {
    ReportTable table =
        new ReportTable(
            "A read of 16 KiB from the page cache, mean ± half of the 95 % interval",
            List.of("state", "µs", "CPU, client, µs", "CPU, DataNode, µs", "CPU beyond off, µs"));
    for (State state : State.values()) {
      table.row(
          List.of(
              state.label(),
              perRead(state, "seconds").plusMinus(),
              perRead(state, "client_cpu_s").plusMinus(),
              perRead(state, "daemon_cpu_s").plusMinus(),
              state == State.OFF ? "" : added(state, State.OFF).plusMinus()));
    }
    return table;
  }

  private Estimate perRead(State state, String field) {
    return estimate(round -> perRead(round, state, field) * US_PER_S);
  }

  private Estimate estimate(ToDoubleFunction<CellResult> value) {
    return Estimate.of(rounds.stream().mapToDouble(value).boxed().collect(Collectors.toList()));
  }

  private static double cpu(CellResult round, State state) {
    return perRead(round, state, "client_cpu_s") + perRead(round, state, "daemon_cpu_s");
  }

  private static double perRead(CellResult round, State state, String field) {
    double reads = 0;
    double sum = 0;
    for (JsonNode block : round.measured().path(state.label())) {
      reads += block.path("reads").asDouble();
      sum += block.path(field).asDouble();
    }
    return sum / reads;
  }

  /** The main results in a line; empty where nothing was measured. */
  Optional<String> summary() {
    if (rounds.isEmpty()) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    parts.add("observe " + added(State.OBSERVE, State.OFF));
    parts.add("turns " + added(State.TURNS, State.OFF));
    parts.add("a priority " + added(State.HINT, State.TURNS));
    return Optional.of(
        String.format(Locale.ROOT, "µs of CPU time added to a read: %s", String.join(", ", parts)));
  }
}
