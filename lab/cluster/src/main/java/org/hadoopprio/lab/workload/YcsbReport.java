// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The measurements of one YCSB run, as its JSONArrayMeasurementsExporter writes them. Immutable.
 */
public final class YcsbReport {

  /** One latency series of YCSB, such as {@code READ}; latencies in microseconds. Immutable. */
  public static final class Latencies {

    private final Map<String, Double> values;

    private Latencies(Map<String, Double> values) {
      this.values = values;
    }

    public long operations() {
      return (long) value("Operations");
    }

    public double mean() {
      return value("AverageLatency(us)");
    }

    public double p95() {
      return value("95thPercentileLatency(us)");
    }

    public double p99() {
      return value("99thPercentileLatency(us)");
    }

    public double max() {
      return value("MaxLatency(us)");
    }

    private double value(String measurement) {
      return values.getOrDefault(measurement, 0.0);
    }
  }

  private final Map<String, Map<String, Double>> series;

  private YcsbReport(Map<String, Map<String, Double>> series) {
    this.series = series;
  }

  /** Reads the file that YCSB's property {@code exportfile} names. */
  public static YcsbReport read(Path file) throws IOException {
    JsonNode entries = new ObjectMapper().readTree(file.toFile());
    Map<String, Map<String, Double>> series = new LinkedHashMap<>();
    for (JsonNode entry : entries) {
      series
          .computeIfAbsent(entry.path("metric").asText(), name -> new LinkedHashMap<>())
          .put(entry.path("measurement").asText(), entry.path("value").asDouble());
    }
    return new YcsbReport(series);
  }

  /** A series; of one that YCSB did not write, all values are 0. */
  public Latencies latencies(String name) {
    return new Latencies(series.getOrDefault(name, Map.of()));
  }

  /** How many operations of a series ended with another status than OK. */
  public long failures(String name) {
    return (long)
        series.getOrDefault(name, Map.of()).entrySet().stream()
            .filter(e -> e.getKey().startsWith("Return=") && !e.getKey().equals("Return=OK"))
            .filter(e -> !e.getKey().equals("Return=BATCHED_OK"))
            .mapToDouble(Map.Entry::getValue)
            .sum();
  }

  /** The run's length in seconds. */
  public double seconds() {
    return series.getOrDefault("OVERALL", Map.of()).getOrDefault("RunTime(ms)", 0.0) / 1000;
  }

  /** Operations per second over the run. */
  public double throughput() {
    return series.getOrDefault("OVERALL", Map.of()).getOrDefault("Throughput(ops/sec)", 0.0);
  }
}
