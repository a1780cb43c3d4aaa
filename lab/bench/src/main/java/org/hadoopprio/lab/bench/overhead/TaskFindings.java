package org.hadoopprio.lab.bench.overhead;

import java.util.Locale;
import java.util.Optional;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Target;

/** What the agent adds to the start of a MapReduce task. */
final class TaskFindings {

  /** CPU seconds: 5 % of a task of 10 s. */
  static final double MAX_CPU_S = 0.5;

  private static final String SOURCE = "the project's aim";

  private final StartUps starts;

  TaskFindings(Results results) {
    starts =
        new StartUps(
            OverheadExperiment.of(results, OverheadExperiment.TASK_START), Variant.FOR_TASKS);
  }

  void addTo(Findings findings) {
    findings.add(
        Target.of(
            "start of a task, CPU time that the agent adds, s",
            Target.Bound.AT_MOST,
            MAX_CPU_S,
            added().filter(Estimate::hasInterval),
            SOURCE));
    if (!starts.isEmpty()) {
      findings
          .add(starts.table("Start of a MapReduce task, until it could read"))
          .note(
              "Tasks: a JVM with the class path of all daemons, which starts metrics, reads its"
                  + " configuration, makes a file system and loads the classes that read. CPU time"
                  + " includes what the JIT compiler does for that. Each round starts one of each"
                  + " variant, in random order.");
    }
  }

  private Optional<Estimate> added() {
    return starts.isEmpty()
        ? Optional.empty()
        : Optional.of(starts.beyond(Variant.UNHINTED, StartUps.CPU));
  }

  /** The main result in a line; empty where it was not measured. */
  Optional<String> summary() {
    return added()
        .map(
            cpu ->
                String.format(
                    Locale.ROOT, "the agent adds %.2f s of CPU to a task's start", cpu.mean()));
  }
}
