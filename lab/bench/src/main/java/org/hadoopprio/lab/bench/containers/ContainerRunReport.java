// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.containers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.tools.TableListing;
import org.hadoopprio.lab.bench.demo.Tables;

/** The tables of a run on the container cluster, and the problems they show. */
final class ContainerRunReport {

  private static final double MICROS_PER_MS = 1_000;
  private static final double BYTES_PER_MIB = 1 << 20;

  /** What was measured with one kind of request. Immutable. */
  static final class Phase {

    private final String requests;
    private final String job;
    private final Histogram micros;
    private final long failures;
    private final double seconds;
    private final List<DataNodeCounts> dataNodes;

    /**
     * A phase.
     *
     * @param requests the priority of the Gets, for people
     * @param job the priority of the job's tasks, for people
     * @param micros the latencies of the Gets that succeeded, in microseconds
     * @param dataNodes what each DataNode counted during the phase
     */
    Phase(
        String requests,
        String job,
        Histogram micros,
        long failures,
        double seconds,
        List<DataNodeCounts> dataNodes) {
      this.requests = requests;
      this.job = job;
      this.micros = micros;
      this.failures = failures;
      this.seconds = seconds;
      this.dataNodes = List.copyOf(dataNodes);
    }
  }

  private final Phase stock;
  private final Phase prioritised;

  ContainerRunReport(Phase stock, Phase prioritised) {
    this.stock = stock;
    this.prioritised = prioritised;
  }

  /** The tables, for people. */
  String tables() {
    TableListing gets =
        Tables.of(
            2, "Gets", "wordcount", "completed", "failed", "rate", "mean ms", "p95 ms", "max ms");
    TableListing dataNodes =
        Tables.of(3, "DataNode", "hadoop-prio", "Gets", "real-time", "idle", "refused", "MiB read");
    for (Phase phase : List.of(stock, prioritised)) {
      gets.addRow(
          phase.requests,
          phase.job,
          Long.toString(phase.micros.getTotalCount()),
          Long.toString(phase.failures),
          number(phase.micros.getTotalCount() / phase.seconds) + "/s",
          number(phase.micros.getMean() / MICROS_PER_MS),
          number(phase.micros.getValueAtPercentile(95) / MICROS_PER_MS),
          number(phase.micros.getMaxValue() / MICROS_PER_MS));
      for (DataNodeCounts counts : phase.dataNodes) {
        dataNodes.addRow(
            counts.name(),
            counts.isPatched() ? counts.agent() : "no: stock",
            phase.requests,
            count(counts, counts.realtime()),
            count(counts, counts.idle()),
            count(counts, counts.failed()),
            number(counts.bytesRead() / BYTES_PER_MIB));
      }
    }
    return gets + "\n" + dataNodes;
  }

  private static String count(DataNodeCounts counts, long value) {
    return counts.isPatched() ? Long.toString(value) : "-";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** What went wrong, whatever the latencies are; empty when all is well. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (Phase phase : List.of(stock, prioritised)) {
      if (phase.failures > 0) {
        problems.add(phase.failures + " Gets failed (" + phase.requests + ")");
      }
      if (phase.micros.getTotalCount() == 0) {
        problems.add("no Get completed (" + phase.requests + ")");
      }
    }
    if (prioritised.dataNodes.stream().noneMatch(DataNodeCounts::isPatched)) {
      problems.add("no DataNode has hadoop-prio");
    }
    for (DataNodeCounts counts : prioritised.dataNodes) {
      if (counts.isPatched() && counts.realtime() == 0) {
        problems.add(counts.name() + " has hadoop-prio and granted no real-time");
      }
      if (counts.failed() > 0) {
        problems.add(counts.name() + ": the kernel refused " + counts.failed() + " priorities");
      }
    }
    for (DataNodeCounts counts : stock.dataNodes) {
      if (counts.realtime() > 0) {
        problems.add(counts.name() + " granted real-time to Gets that carry no priority");
      }
    }
    return problems;
  }
}
