// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricType;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.hadoopprio.metrics.PriorityMetricsSource;
import org.junit.jupiter.api.Test;

/**
 * docs/metrics.md must match the metrics sources. After a change, regenerate it with {@code
 * -Dhprio.docs.write=true}.
 */
class MetricsReferenceTest {

  private static final Path FILE = Path.of("..", "docs", "metrics.md");

  /** Of a latency in the last minute; all of one have one row. */
  private static final Pattern PERCENTILE = Pattern.compile("Latency\\d+thPercentile");

  @Test
  void theReferenceIsWhatTheSourcesShow() throws IOException {
    String reference = reference();
    if (Boolean.getBoolean("hprio.docs.write")) {
      Files.writeString(FILE, reference);
    }
    assertEquals(
        Files.readString(FILE), reference, "docs/metrics.md; -Dhprio.docs.write=true writes it");
  }

  private static String reference() {
    StringBuilder out = new StringBuilder();
    out.append("# Metrics reference\n\n")
        .append("Generated from the code by `MetricsReferenceTest`; do not edit.\n\n")
        .append("In Hadoop's metrics system of DataNodes and RegionServers with the agent, and so")
        .append(" in each of its sinks. `/jmx` shows them as")
        .append(" `Hadoop:service=DataNode|HBase,name=RECORD`; several records of a name are beans")
        .append(" `RECORD-CLASS`, `IoPriorityRoles-ROLE-CLASS`, `IoPriorityVolumes-DIRECTORY`,")
        .append(" `IoPriorityTenants-TENANT-DIRECTORY` and")
        .append(" `IoPriorityEngines-DIRECTORY`. [Prometheus, dashboard,")
        .append(" alerts](runbooks.md#alerts). The MXBean `org.hadoopprio:type=IoPriority` has the")
        .append(" counters of the whole process and the state of each hook.\n\n")
        .append("What is not called a gauge is a counter. Latencies are those of the last full")
        .append(" minute, in microseconds. The records of reads, writes and calls leave out those")
        .append(" without a priority; the record of roles has them.\n");
    String record = null;
    for (MetricsSource source : PriorityMetricsSource.all()) {
      for (MetricsRecord shown : records(source)) {
        if (!shown.name().equals(record)) {
          record = shown.name();
          out.append("\n## ").append(record).append("\n\n").append(heading(record)).append("\n\n");
          out.append("| metric | Prometheus | meaning |\n|---|---|---|\n");
        }
        Map<String, List<AbstractMetric>> rows = new LinkedHashMap<>();
        for (AbstractMetric metric : shown.metrics()) {
          if (metric.name().startsWith("Latency") && !isFirstWithLatencies(record)) {
            continue;
          }
          String meaning =
              PERCENTILE.matcher(metric.name()).find()
                  ? "The percentile that the name says"
                  : metric.description();
          rows.computeIfAbsent(meaning, first -> new ArrayList<>()).add(metric);
        }
        rows.forEach((meaning, metrics) -> out.append(line(shown, metrics, meaning)));
      }
    }
    return out.toString();
  }

  /** The others have the same, which the heading of each says. */
  private static boolean isFirstWithLatencies(String record) {
    return record.equals(PriorityMetricsSource.READS_RECORD);
  }

  private static Iterable<? extends MetricsRecord> records(MetricsSource source) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    return collector.getRecords();
  }

  private static String heading(String record) {
    switch (record) {
      case PriorityMetricsSource.READS_RECORD:
        return "Block reads of a DataNode (in a RegionServer: blocks opened by short circuit), one"
            + " record for each class, tag `class` = `rt`, `be` or `idle`.";
      case PriorityMetricsSource.WRITES_RECORD:
        return "Blocks that a DataNode receives from clients and, in a pipeline, from other"
            + " DataNodes; records, tags and latencies as of `IoPriorityReads`.";
      case PriorityMetricsSource.ROLES_RECORD:
        return "All that a DataNode reads and writes on volumes whose mode is not `off`, one record"
            + " for each role and class, tags `role`"
            + " ([the roles](protocol.md#hdfs-datatransferprotocol)) and `class` = `rt`, `be`,"
            + " `idle` or `none`; latencies as of `IoPriorityReads`. Short-circuit reads are not in it."
            + " A block that is moved counts where it is read and where it is written, also within a"
            + " DataNode.";
      case PriorityMetricsSource.CALLS_RECORD:
        return "RPC calls of a RegionServer; records, tags and latencies as of `IoPriorityReads`. A"
            + " batch counts in the class of its first operation that has one.";
      case PriorityMetricsSource.ENGINES_RECORD:
        return "Volumes of a DataNode with an engine other than `thread`"
            + " (`dfs.datanode.io.priority.engine`), one record for each, tags `volume` and"
            + " `engine` (the engine in use).";
      case PriorityMetricsSource.VOLUMES_RECORD:
        return "Volumes of a DataNode, one record for each, tags `volume` and `mode` (the mode of"
            + " `dfs.datanode.io.priority.scheduler` in force). The counters are those of the"
            + " queue that requests (reads, writes that take turns, short-circuit reads that ask)"
            + " pass in mode `turns`; without a queue they are 0. Volumes on one disk have one queue,"
            + " which only the record of the first of them shows; if that one is removed, the next"
            + " record begins at 0. Best-effort includes requests without a priority. Disk time is"
            + " that of requests at the disk: of real-time with the time for which the disk was"
            + " kept for the next read, of others the sum over all requests.";
      case PriorityMetricsSource.TENANTS_RECORD:
        return "[Tenants](policy.md#tenants) that have used a disk, one record for each of them and"
            + " each volume that shows its queue in `IoPriorityVolumes`, tags `volume` and `tenant`;"
            + " none of a disk that only `default` has used.";
      case PriorityMetricsSource.POLICIES_RECORD:
        return "Policies in force (docs/policy.md), one record for each key that names a policy"
            + " file, tags `key`, `version` (the file's own, or `none`) and `hash` (first 12 digits"
            + " of the SHA-256 of what was read, or `none`).";
      case PriorityMetricsSource.BUILD_RECORD:
        return "The agent, tag `version`.";
      default:
        return "The whole process.";
    }
  }

  /** One row, for all metrics of the same kind and meaning. */
  private static String line(
      MetricsRecord record, List<AbstractMetric> metrics, String description) {
    return "| "
        + names(metrics, AbstractMetric::name)
        + " | "
        + names(
            metrics,
            metric -> new PrometheusMetricsSink().prometheusName(record.name(), metric.name()))
        + " | "
        + (metrics.get(0).type() == MetricType.GAUGE ? "Gauge. " : "")
        + description
        + " |\n";
  }

  private static String names(List<AbstractMetric> metrics, Function<AbstractMetric, String> name) {
    return metrics.stream()
        .map(metric -> "`" + name.apply(metric) + "`")
        .collect(Collectors.joining(", "));
  }
}
