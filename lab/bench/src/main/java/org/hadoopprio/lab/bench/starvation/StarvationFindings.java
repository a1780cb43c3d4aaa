// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import static org.hadoopprio.lab.bench.starvation.Comparisons.BACKGROUND_MB;
import static org.hadoopprio.lab.bench.starvation.Comparisons.LONGEST_WAIT;
import static org.hadoopprio.lab.bench.starvation.Comparisons.MEAN;
import static org.hadoopprio.lab.bench.starvation.Comparisons.P95;

import java.util.List;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/** What follows from the measurements. For one use. */
final class StarvationFindings {

  static final String DISK_TIME_RATIO = "/background/disk_time_ratio";
  static final String MAX = "/realtime/max_ms";

  /** The throughput of streams alone in proportion to stock's. */
  static final double MIN_STREAMS16 = 1.4;

  static final double MIN_STREAM1 = 0.98;
  static final double MAX_LONGEST_WAIT = 1;

  /** How far two priorities may be from their weights. */
  static final double MAX_DEVIATION = 0.1;

  private final StarvationPlan plan;
  private final Findings findings = new Findings();
  private final Comparisons compare;

  StarvationFindings(StarvationPlan plan, List<CellResult> results) {
    this.plan = plan;
    this.compare = new Comparisons(results, findings);
  }

  Findings draw() {
    if (plan.has(StarvationPart.READERS)) {
      new ReaderFindings(plan, compare).draw();
    }
    if (plan.has(StarvationPart.STREAMS)) {
      addStreams();
    }
    if (plan.has(StarvationPart.LEVELS)) {
      addLevels();
    }
    if (plan.has(StarvationPart.SHORT)) {
      addShort();
    }
    if (plan.has(StarvationPart.WRITERS)) {
      addWriters();
    }
    findings.note(
        "The longest wait is that of one read call of a stream, of up to 128 KiB; a call that"
            + " started before the measured time counts from its start.");
    return findings;
  }

  // --- streams alone ----------------------------------------------------------------------------

  private void addStreams() {
    ReportTable table =
        new ReportTable(
            "Streams alone",
            List.of("streams", "system", "MB/s", "/ stock", "longest wait ms", "/ stock"));
    for (BackgroundStreams streams :
        List.of(BackgroundStreams.STREAMS16, BackgroundStreams.STREAM1)) {
      compare.addCompared(
          table,
          streams.label(),
          system -> Measurement.streams(streams, system),
          List.of(BACKGROUND_MB, LONGEST_WAIT));
    }
    compare.add(table);
    addStreamsTarget(
        BackgroundStreams.STREAMS16, BACKGROUND_MB, Target.Bound.AT_LEAST, MIN_STREAMS16);
    addStreamsTarget(BackgroundStreams.STREAM1, BACKGROUND_MB, Target.Bound.AT_LEAST, MIN_STREAM1);
    addStreamsTarget(
        BackgroundStreams.STREAMS16, LONGEST_WAIT, Target.Bound.AT_MOST, MAX_LONGEST_WAIT);
  }

  private void addStreamsTarget(
      BackgroundStreams streams, String path, Target.Bound bound, double required) {
    compare.target(
        (path.equals(LONGEST_WAIT) ? "longest wait of " : "throughput of ")
            + streams.label()
            + " alone",
        bound,
        required,
        path,
        system -> Measurement.streams(streams, system),
        ReaderSystem.STOCK);
  }

  // --- streams at two priorities ----------------------------------------------------------------

  private void addLevels() {
    ReportTable table =
        new ReportTable(
            "Streams of one priority against as many of another",
            List.of(
                "priorities",
                "I/O scheduler",
                "expected",
                "MB/s of one",
                "of the other",
                "disk time of one",
                "of the other",
                "ratio"));
    for (BackgroundStreams groups : BackgroundStreams.levels()) {
      for (String scheduler : StarvationPlan.SCHEDULERS) {
        Results measured = compare.of(Measurement.levels(groups, scheduler, ReaderSystem.TURNS));
        double expected = groups.expectedRatio();
        compare.target(
            groups.label() + " on " + scheduler + ", distance of the ratio from its expected value",
            Target.Bound.AT_MOST,
            MAX_DEVIATION,
            measured.estimate(DISK_TIME_RATIO, ratio -> Math.abs(ratio / expected - 1)));
        Comparisons.addRow(
            table,
            List.of(groups.label(), scheduler, Numbers.text(expected)),
            List.of(
                measured.estimate("/background/groups_mb_per_s/0"),
                measured.estimate("/background/groups_mb_per_s/1"),
                measured.estimate("/background/groups_busy/0"),
                measured.estimate("/background/groups_busy/1"),
                measured.estimate(DISK_TIME_RATIO)));
      }
    }
    compare.add(table);
    findings.note(
        "Disk time is the part of the time in which the drive worked for that priority, as it saw"
            + " it with each request. If both together are well below 1, the streams have not"
            + " always asked for more, and then the weaker ones get what the stronger ones leave.");
  }

  // --- short reads at lower priorities ----------------------------------------------------------

  private void addShort() {
    ReportTable table =
        new ReportTable(
            "One random reader beside 16 streams",
            List.of("priority", "mean ms", "p95 ms", "longest ms", "background MB/s"));
    for (ReaderSystem system : StarvationPlan.SHORT_SYSTEMS) {
      Measurement measurement = StarvationPlan.shortReads(system);
      Comparisons.addRow(
          table,
          List.of(system.label()),
          List.of(
              compare.estimate(MEAN, measurement),
              compare.estimate(P95, measurement),
              compare.estimate(MAX, measurement),
              compare.estimate(BACKGROUND_MB, measurement)));
    }
    compare.add(table);
    findings.note(
        "HBase lets one thread at a time load a block into its block cache. A Get that needs a"
            + " block which a read of a lower priority is loading waits as long as that read"
            + " does.");
  }

  // --- a reader beside writers ------------------------------------------------------------------

  private void addWriters() {
    ReportTable table =
        new ReportTable(
            "One random reader beside 4 writers",
            List.of(
                "system", "mean ms", "p95 ms", "longest ms", "written MB/s", "longest write ms"));
    addWriters(table, BackgroundStreams.NONE, ReaderSystem.BOUND);
    addWriters(table, BackgroundStreams.WRITERS4, ReaderSystem.STOCK);
    BackgroundStreams.writers().forEach(writers -> addWriters(table, writers, ReaderSystem.TURNS));
    compare.add(table);
    findings.note(
        "The writers write files of "
            + StarvationClients.WRITTEN_FILE_BYTES / (1 << 20)
            + " MiB, each the same file again and again. What they write is in the page cache"
            + " first, so the rate is not the disk's at every moment.");
  }

  private void addWriters(ReportTable table, BackgroundStreams writers, ReaderSystem system) {
    Measurement measurement = Measurement.writers(writers, system);
    Comparisons.addRow(
        table,
        List.of(system.label() + ", " + writers.label()),
        List.of(
            compare.estimate(MEAN, measurement),
            compare.estimate(P95, measurement),
            compare.estimate(MAX, measurement),
            compare.estimate(BACKGROUND_MB, measurement),
            compare.estimate(LONGEST_WAIT, measurement)));
  }
}
