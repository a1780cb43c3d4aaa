// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.Installation;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.disk.SystemCommand;
import org.hadoopprio.lab.testing.Need;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The alert rules and the dashboard fit what a DataNode and a RegionServer show to Prometheus:
 * names and labels are compared with their pages, and promtool evaluates the queries on them.
 */
class MonitoringIT {

  /** Labels that Prometheus adds to all that it scrapes. */
  private static final Set<String> ADDED = Set.of("cluster", "job", "instance");

  /**
   * The DataNode has neither an engine nor tenants, so these are not on its page; docs/metrics.md
   * has their names.
   */
  private static final String ENGINES = "io_priority_engines_";

  private static final String TENANTS = "io_priority_tenants_";

  private static final Set<String> ENGINE_LABELS = Set.of("volume", "engine");

  private static final String READ_MICROS = "io_priority_volumes_read_micros";
  private static final String FILE = "/monitoring-file";
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");
  private static final Pattern SERIES =
      Pattern.compile("(?m)^ +- series: '([a-z_0-9]+)\\{(.*)\\}'$");
  private static final Pattern LABEL = Pattern.compile("(\\w+) ?=~? ?\"");

  private static Path home;
  private static Scrape scraped;

  /** The latest page of each daemon, by its name. */
  private static final Map<String, Scrape> PAGES = new TreeMap<>();

  /** The text of each alert of the rules, by its name. */
  private static final Map<String, String> ALERTS = new TreeMap<>();

  @BeforeAll
  static void scrape() throws Exception {
    home = Installation.find().home();
    String rules = Files.readString(rules());
    String[] texts = ALERT.split(rules, -1);
    List<String> names = all(ALERT, rules).collect(Collectors.toList());
    for (int i = 0; i < names.size(); i++) {
      ALERTS.put(names.get(i), texts[i + 1]);
    }
    LocalCluster cluster = SharedCluster.get();
    try (FileSystem fs = FileSystem.newInstance(cluster.hadoopConf())) {
      SampleFile.write(fs, new org.apache.hadoop.fs.Path(FILE), 1);
    }
    scraped = page(cluster, Role.DATANODE, "/prom", "roles_requests", "volumes_open");
    // HBase's first answer has the metrics system's own metrics only.
    scraped.add(page(cluster, Role.REGIONSERVER, "/prometheus", "regions", "calls_requests"));
  }

  /** The page when it has these metrics of hadoop-prio. */
  private static Scrape page(LocalCluster cluster, Role role, String path, String... awaited) {
    Set<String> names = Stream.of(awaited).map("io_priority_"::concat).collect(toSet());
    return await(names + " are in " + path + " of " + role)
        .atMost(PATIENCE)
        .until(() -> page(cluster, role, path), scrape -> scrape.names().containsAll(names));
  }

  private static Scrape page(LocalCluster cluster, Role role, String path) throws IOException {
    Daemon daemon = cluster.daemon(role);
    String page = cluster.page(daemon, path);
    Path copy = Path.of("target", "it", "scrape-" + daemon.name() + ".txt");
    Files.createDirectories(copy.getParent());
    Files.writeString(copy, page);
    PAGES.put(daemon.name(), Scrape.parse(page));
    return Scrape.parse(page);
  }

  private static Path rules() {
    return home.resolve("dist/alerts/hadoop-prio.rules.yml");
  }

  private static Path ruleTests() {
    return home.resolve("dist/src/test/alerts.test.yml");
  }

  private static Stream<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(result -> result.group(1));
  }

  /** The program of Debian's package, or the one that bin/hprio has fetched. */
  private static String promtool(String... arguments) throws IOException {
    Path fetched = home.resolve(".hprio/tools/promtool");
    List<String> command = new ArrayList<>();
    command.add(Files.isExecutable(fetched) ? fetched.toString() : "promtool");
    command.addAll(List.of(arguments));
    try {
      return SystemCommand.run(command.toArray(new String[0]));
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).startsWith("cannot run")) {
        Need.PROGRAM.missing("promtool", e);
      }
      throw e;
    }
  }

  @Test
  void theRulesAreValidAndEachAlertFiresOnceAndIsSilentOnce() throws IOException {
    String checked = promtool("check", "rules", rules().toString());
    assertTrue(checked.contains("SUCCESS: " + ALERTS.size() + " rules found"), checked);
    promtool("test", "rules", ruleTests().toString());
    // The first test has no alert, with a series of each metric that a rule names.
    String[] tests = Files.readString(ruleTests()).split("(?m)^  - name: ", -1);
    Set<String> silent = all(SERIES, tests[1]).collect(Collectors.toSet());
    ALERTS.forEach(
        (name, rule) -> {
          assertTrue(fired(tests, name).count() > 0, "no test has " + name);
          Set<String> used = new TreeSet<>(Scrape.metricNames(expression(rule)));
          used.removeAll(silent);
          assertEquals(Set.of(), used, name + " is not silent with");
        });
  }

  /** What the tests expect of an alert that fires. */
  private static Stream<String> fired(String[] tests, String alert) {
    return Stream.of(tests)
        .flatMap(String::lines)
        .filter(line -> line.contains("alertname=\"" + alert + "\""));
  }

  private static String expression(String rule) {
    Matcher found = Pattern.compile("(?s) expr: (?:>-)?(.*?)\n +(?:for|labels):").matcher(rule);
    assertTrue(found.find(), rule);
    return found.group(1);
  }

  /** A text with an empty label helps nobody, and a link must lead somewhere. */
  @Test
  void eachAlertSaysWhereWhatToDoAndWhereToRead() throws IOException {
    String[] tests = {Files.readString(ruleTests())};
    for (Map.Entry<String, String> alert : ALERTS.entrySet()) {
      String rule = alert.getValue();
      for (String field : List.of("severity", "summary", "description")) {
        assertTrue(rule.contains("\n          " + field + ": "), alert.getKey() + ": " + field);
      }
      Set<String> labels = all(Pattern.compile("\\$labels\\.(\\w+)"), rule).collect(toSet());
      assertFalse(labels.isEmpty(), alert.getKey());
      String fired = fired(tests, alert.getKey()).collect(Collectors.joining());
      for (String label : labels) {
        boolean known = fired.contains(label + "=\"") || label.equals("cluster");
        assertTrue(known, alert.getKey() + " has no label " + label + ": " + fired);
      }
      Matcher link = Pattern.compile("runbook_url: (docs/\\w+\\.md)#([\\w-]+)\n").matcher(rule);
      assertTrue(link.find(), alert.getKey() + " has no runbook");
      Set<String> places =
          Files.readString(home.resolve(link.group(1)))
              .lines()
              .filter(line -> line.startsWith("#"))
              .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
              .map(heading -> heading.replaceAll("[^\\w -]", "").replace(' ', '-'))
              .collect(toSet());
      assertTrue(places.contains(link.group(2)), alert.getKey() + ": " + link.group());
    }
  }

  private static <T> Collector<T, ?, Set<T>> toSet() {
    return Collectors.toCollection(TreeSet::new);
  }

  /** The alert for a RegionServer without the coprocessor is silent on this one. */
  @Test
  void aRegionServerCountsTheRegionsThatHaveTheCoprocessor() {
    assertTrue(scraped.value("io_priority_regions", Map.of()).orElseThrow() > 0);
    assertTrue(scraped.value("server_region_count", Map.of()).orElseThrow() > 0);
  }

  private static boolean isOfOthers(String expression) {
    return expression.contains(ENGINES) || expression.contains(TENANTS);
  }

  private static boolean isShown(String name) throws IOException {
    return isOfOthers(name)
        ? Files.readString(home.resolve("docs/metrics.md")).contains("`" + name + "`")
        : scraped.names().contains(name);
  }

  private static void checkNames(String expression) throws IOException {
    List<String> names = Scrape.metricNames(expression);
    assertFalse(names.isEmpty(), expression);
    for (String name : names) {
      assertTrue(isShown(name), () -> name + " of \"" + expression + "\" is in no scrape");
    }
  }

  @Test
  void theRulesAndTheirTestsNameWhatDaemonsShow() throws IOException {
    for (String rule : ALERTS.values()) {
      checkNames(expression(rule));
    }
    List<MatchResult> series =
        SERIES.matcher(Files.readString(ruleTests())).results().collect(Collectors.toList());
    assertTrue(series.size() > ALERTS.size(), "series: " + series.size());
    for (MatchResult one : series) {
      checkNames(one.group(1));
      Set<String> labels = all(LABEL, one.group(2)).collect(toSet());
      labels.removeAll(ADDED);
      labels.removeAll(
          one.group(1).startsWith(ENGINES) ? ENGINE_LABELS : scraped.labels(one.group(1)));
      assertEquals(Set.of(), labels, one.group() + " has labels that no daemon shows");
    }
  }

  /** Those of "Go, hold, back", which have no other test. */
  @Test
  void theQueriesToPasteNameWhatDaemonsShow() throws IOException {
    String page = Files.readString(home.resolve("docs/operations.md"));
    Matcher block = Pattern.compile("(?s) as PromQL, to paste.*?\n```\n(.*?)```").matcher(page);
    assertTrue(block.find());
    List<String> queries = block.group(1).lines().collect(Collectors.toList());
    assertTrue(queries.size() >= 10, "queries: " + queries.size());
    StringBuilder rules = new StringBuilder("groups:\n  - name: pasted\n    rules:\n");
    for (int i = 0; i < queries.size(); i++) {
      checkNames(queries.get(i));
      rules.append("      - {record: pasted_" + i + ", expr: '" + queries.get(i) + "'}\n");
    }
    Path file = Path.of("target", "it", "pasted.rules.yml").toAbsolutePath();
    Files.writeString(file, rules);
    promtool("check", "rules", file.toString());
  }

  /** As Grafana does it, but for engines and tenants, which this cluster does not have. */
  @Test
  void eachQueryOfTheDashboardHasSomethingToShow() throws IOException {
    JsonNode dashboard =
        new ObjectMapper().readTree(home.resolve("dist/dashboards/io-priority.json").toFile());
    List<String> queries = new ArrayList<>();
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String query = target.get("expr").asText();
        checkNames(query);
        // Of 300 nodes, a line for each host or disk would show nothing, and be slow.
        if (target.path("legendFormat").asText().contains("{{instance}}")) {
          assertTrue(query.startsWith("topk(20, "), query);
        }
        if (!isOfOthers(query)) {
          queries.add(query.replace("$__rate_interval", "5m").replaceAll("\\$\\w+", ".*"));
        }
      }
    }
    assertTrue(queries.size() >= 8, "queries: " + queries.size());
    StringBuilder test = new StringBuilder("tests:\n  - interval: 1m\n    input_series:\n");
    for (Map.Entry<String, Scrape> page : PAGES.entrySet()) {
      String added = "cluster=\"a\", instance=\"" + page.getKey() + "\"";
      // As if each had been read for as long; 0, of those added below, is for volumes without
      // reads.
      test.append(
          page.getValue()
              .constantSeries(added)
              .replaceAll(
                  "(?<series>" + READ_MICROS + "\\{.*\n +values: ')[0-9.]+x", "${series}12000x"));
    }
    for (int i = 0; i < 9; i++) {
      test.append("      - series: '" + READ_MICROS + "{instance=\"unread" + i + "\"}'\n");
      test.append("        values: '0x30'\n");
    }
    test.append("    promql_expr_test:\n");
    for (String query : queries) {
      if (query.startsWith("quantile(")) {
        test.append("      - expr: '" + query + "'\n        eval_time: 20m\n");
        test.append("        exp_samples: [{labels: '{}', value: 12000}]\n");
      }
      test.append("      - expr: 'count(")
          .append(query.replace("'", "''"))
          .append(
              ") > bool 0'\n        eval_time: 20m\n        exp_samples: [{labels: '{}', value: 1}]\n");
    }
    Path file = Path.of("target", "it", "dashboard.test.yml").toAbsolutePath();
    Files.writeString(file, test);
    promtool("test", "rules", file.toString());
  }
}
