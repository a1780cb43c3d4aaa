package org.hadoopprio.lab.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** The one sample with these labels; 0 where there is none as yet. */
  double value(String name, Map<String, String> labels) {
    return samples.stream()
        .filter(s -> s.name.equals(name) && s.labels.entrySet().containsAll(labels.entrySet()))
        .mapToDouble(s -> s.value)
        .max()
        .orElse(0);
  }

  /** The metrics a query names. */
  static List<String> metricNames(String expression) {
    Matcher word = Pattern.compile(NAME).matcher(expression.replaceAll("\\{[^}]*\\}", ""));
    List<String> names = new ArrayList<>();
    while (word.find()) {
      if (word.group().contains("_") && !word.group().startsWith("__")) {
        names.add(word.group());
      }
    }
    return names;
  }
}
