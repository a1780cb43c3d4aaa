// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;

/** A page in Prometheus's text format, read strictly: a line that does not fit is a failure. */
final class Scrape {

  private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
  private static final Pattern SAMPLE =
      Pattern.compile("(" + NAME + ")(?:\\{(.*)\\})? ([-+0-9.eE]+|NaN|[-+]?Inf(?:inity)?)");
  private static final Pattern LABEL = Pattern.compile("(" + NAME + ")=\"([^\"]*)\"(?:,|$)");

  private final List<Sample> samples = new ArrayList<>();

  private static final class Sample {
    final String name;
    final Map<String, String> labels;
    final double value;

    Sample(String name, Map<String, String> labels, double value) {
      this.name = name;
      this.labels = labels;
      this.value = value;
    }
  }

  private Scrape() {}

  static Scrape parse(String page) {
    Scrape scrape = new Scrape();
    page.lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .forEach(
            line -> {
              Matcher sample = SAMPLE.matcher(line);
              assertTrue(sample.matches(), () -> "not a sample: " + line);
              Map<String, String> labels = new HashMap<>();
              Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
              while (label.find()) {
                labels.put(label.group(1), label.group(2));
              }
              scrape.samples.add(
                  new Sample(sample.group(1), labels, Double.parseDouble(sample.group(3))));
            });
    return scrape;
  }

  /** What Hadoop's exporter calls a metric. */
  static String prometheusName(String record, String metric) {
    return new PrometheusMetricsSink().prometheusName(record, metric);
  }

  Set<String> names() {
    return samples.stream().map(s -> s.name).collect(Collectors.toSet());
  }

  /** The one sample with these labels. */
  OptionalDouble value(String name, Map<String, String> labels) {
    return samples.stream()
        .filter(s -> s.name.equals(name) && s.labels.entrySet().containsAll(labels.entrySet()))
        .mapToDouble(s -> s.value)
        .max();
  }

  /** The names of the labels with which a metric was shown. */
  Set<String> labels(String name) {
    return samples.stream()
        .filter(s -> s.name.equals(name))
        .flatMap(s -> s.labels.keySet().stream())
        .collect(Collectors.toSet());
  }

  /** Adds what another page shows. */
  void add(Scrape other) {
    samples.addAll(other.samples);
  }

  /**
   * The samples of hadoop-prio as series of a test of promtool, constant for half an hour.
   *
   * @param added labels that Prometheus adds to what it scrapes
   */
  String constantSeries(String added) {
    return samples.stream()
        .filter(s -> s.name.startsWith("io_priority_"))
        .map(
            s ->
                "      - series: '"
                    + s.name
                    + s.labels.entrySet().stream()
                        .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
                        .collect(Collectors.joining(", ", "{" + added + ", ", "}"))
                    + "'\n        values: '"
                    + BigDecimal.valueOf(s.value).toPlainString()
                    + "x30'\n")
        .collect(Collectors.joining());
  }

  /** The metrics a query names: the words with an underscore that are no functions of PromQL. */
  static List<String> metricNames(String expression) {
    String plain = expression.replaceAll("\"[^\"]*\"|\\{[^}]*\\}|\\[[^\\]]*\\]", "");
    Matcher word = Pattern.compile("\\b(" + NAME + ")\\b(?!\\s*\\()").matcher(plain);
    List<String> names = new ArrayList<>();
    while (word.find()) {
      if (word.group().contains("_") && !word.group().startsWith("group_")) {
        names.add(word.group());
      }
    }
    return names;
  }
}
