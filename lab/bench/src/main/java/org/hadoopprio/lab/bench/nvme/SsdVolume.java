// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.nvme;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.scheduler.DiskSimulation;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerLimits;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.bench.experiment.CellResult;
import org.hadoopprio.lab.bench.experiment.Estimate;
import org.hadoopprio.lab.bench.experiment.Findings;
import org.hadoopprio.lab.bench.experiment.Numbers;
import org.hadoopprio.lab.bench.experiment.Results;
import org.hadoopprio.lab.bench.experiment.Target;
import org.hadoopprio.lab.bench.experiment.Target.Bound;
import org.hadoopprio.lab.bench.experiment.report.ReportTable;

/**
 * A DataNode's volume on an SSD, in virtual time: Gets at real-time beside idle streams, in mode
 * {@code order} above a kernel that does not order, and in mode {@code turns} with several streams
 * at a time.
 */
final class SsdVolume {

  static final String STREAMS_AT_A_TIME = "streams-at-a-time";
  static final String SHARE = "realtime-share";

  /** In mode order there are no turns, and nothing limits real-time. */
  static final String ORDER = "order";

  static final String NO_LIMIT = "1.0";
  static final String DEFAULT_SHARE = "0.65";

  private static final List<String> AT_A_TIME = List.of("1", "4", "16");
  private static final int STREAMS = 16;
  private static final double GETS_PER_SECOND = 500;
  private static final double BYTES_PER_MB = 1e6;

  private SsdVolume() {}

  static Map<String, String> factors(String streams, String share) {
    Map<String, String> factors = new LinkedHashMap<>();
    factors.put(STREAMS_AT_A_TIME, streams);
    factors.put(SHARE, share);
    return factors;
  }

  /** What is varied. */
  static List<Map<String, String>> combinations() {
    List<Map<String, String>> all = new ArrayList<>();
    all.add(factors(ORDER, NO_LIMIT));
    for (String share : List.of(NO_LIMIT, DEFAULT_SHARE)) {
      AT_A_TIME.forEach(streams -> all.add(factors(streams, share)));
    }
    return all;
  }

  static boolean has(Cell cell) {
    return cell.factors().containsKey(STREAMS_AT_A_TIME);
  }

  /** Simulates some seconds, after three that do not count. */
  static ObjectNode run(Cell cell, int seconds) {
    String streams = cell.factor(STREAMS_AT_A_TIME);
    Configuration conf = new Configuration(false);
    conf.set(SchedulerKeys.SHARE.name(), cell.factor(SHARE));
    DiskSimulation simulation =
        new DiskSimulation(
            SchedulerLimits.of(conf),
            new SsdDisk(),
            cell.repetition(),
            streams.equals(ORDER) ? 0 : Integer.parseInt(streams));
    DiskSimulation.Reader gets = simulation.open(IoPriority.realtime(0), GETS_PER_SECOND);
    List<DiskSimulation.Reader> readers = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      readers.add(simulation.stream(IoPriority.IDLE));
    }
    simulation.run(seconds);
    double megabytes =
        readers.stream().mapToDouble(DiskSimulation.Reader::megabytesPerSecond).sum();
    return new ObjectMapper()
        .createObjectNode()
        .put("gets", gets.answered())
        .put("p50_ms", gets.millis(0.5))
        .put("p99_ms", gets.millis(0.99))
        .put("streams_bytes_per_second", BYTES_PER_MB * megabytes)
        .put("overloaded", simulation.isOverloaded());
  }

  /** Adds what follows from the cells of this part. */
  static void addTo(Findings findings, List<CellResult> results) {
    List<CellResult> own =
        results.stream().filter(result -> has(result.cell())).collect(Collectors.toList());
    for (CellResult result : own) {
      if (result.measured().path("overloaded").asBoolean()) {
        findings.invalid(result.cell() + ": more Gets arrive than the SSD can answer");
      }
    }
    Results all = new Results(own);
    findings.add(table(all));
    Results order = of(all, factors(ORDER, NO_LIMIT));
    Results four = of(all, factors("4", NO_LIMIT));
    findings.add(
        Target.of(
            "an SSD's volume, 4 streams at a time, share 1.0: p99 of Gets / that in mode order",
            Bound.AT_MOST,
            0.5,
            four.ratio(order, "/p99_ms"),
            "what the setting is for"));
    findings.add(
        Target.of(
                "the same: what the streams read / what they read in mode order",
                Bound.AT_LEAST,
                0.5,
                four.ratio(order, "/streams_bytes_per_second"),
                "what it costs")
            .reportedOnly());
    findings.note(
        "The SSD of the DataNode's volume has "
            + SsdDisk.DIES
            + " dies, each with a page of "
            + (SsdDisk.PAGE_BYTES >> 10)
            + " KiB each "
            + SsdDisk.PAGE_NANOS / 1000
            + " us, and takes all that is asked at once; "
            + Numbers.text(GETS_PER_SECOND)
            + " Gets of 56 KiB a second arrive beside "
            + STREAMS
            + " streams with one request of 256 KiB each. Left out are the processors: what turns"
            + " cost a DataNode's threads is as long as such a read.");
  }

  private static Results of(Results all, Map<String, String> factors) {
    return all.of(cell -> cell.factors().equals(factors));
  }

  private static ReportTable table(Results all) {
    ReportTable table =
        new ReportTable(
            "A DataNode's volume on an SSD: Gets at real-time beside 16 idle streams",
            List.of(
                "streams at a time", "real-time share", "Gets p50 ms", "p99 ms", "streams MB/s"));
    for (Map<String, String> factors : combinations()) {
      Results cells = of(all, factors);
      String streams = factors.get(STREAMS_AT_A_TIME);
      table.row(
          List.of(
              streams.equals(ORDER) ? "all (mode order, scheduler none)" : streams,
              streams.equals(ORDER) ? "no limit" : factors.get(SHARE),
              text(cells, "/p50_ms", 1),
              text(cells, "/p99_ms", 1),
              text(cells, "/streams_bytes_per_second", 1 / BYTES_PER_MB)));
    }
    return table;
  }

  private static String text(Results cells, String path, double unit) {
    return cells.estimate(path, value -> value * unit).map(Estimate::plusMinus).orElse("-");
  }
}
