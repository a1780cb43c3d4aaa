// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the pages for operators quote is what the code says: messages, counters, keys, metrics and
 * commands. Somebody looks for these in a log or on a page, and finds nothing if they have changed.
 */
class QuotedNamesTest {

  private static final Path ROOT = Path.of("..");

  /** Where the messages of the daemons and of the doctor come from. */
  private static final List<String> SOURCES =
      List.of(
          "hdfs-prio/src/main",
          "hdfs-prio/api/src/main",
          "hbase-prio/src/main",
          "hbase-prio/api/src/main",
          "hbase-prio/hooks/src/main",
          "tools/src/main",
          "native/pbs/src");

  /** Whose tests the pages name as well. */
  private static final List<String> TESTS =
      List.of(
          "hdfs-prio/simulation/src/test",
          "hdfs-prio/src/test",
          "hbase-prio/src/test",
          "lab/it/src/test");

  /** Quoted in the pages, and of others: Java's, HDFS's, HBase's. */
  private static final Set<String> FOREIGN =
      Set.of(
          "Error opening zip file or JAR manifest missing",
          "UnsupportedClassVersionError",
          "ExceptionInInitializerError",
          "BlockReaderLocalLegacy",
          "SlowDisks",
          "ReadBlockOpAvgTime",
          "NumTimedOutPendingReconstructions",
          "SocketTimeoutException",
          "ExportSnapshot",
          "RowMutations");

  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern COUNTER = Pattern.compile("[A-Z][a-z]+(?:[A-Z0-9][a-z]*)*");
  private static final Pattern KEY =
      Pattern.compile("(?:dfs|hbase)\\.[a-z.]*io\\.priority\\.[a-z.]*[a-z]");
  private static final Pattern COMMAND = Pattern.compile("hprio ([a-z]+)");

  /** Between two adjacent literals that the compiler joins. */
  private static final Pattern JOIN = Pattern.compile("\"\\s*\\+\\s*\"");

  private static final Pattern PURPOSE =
      Pattern.compile("super\\(\\s*AgentModule\\.[^\";]*\"([^\"]+)\"\\);");

  /** What stands for a value in a page. */
  private static final Pattern VALUE = Pattern.compile("\\.\\.\\.");

  /** A part of a message that is this long is no accident. */
  private static final int TELLING = 12;

  private static String code;
  private static Set<String> classes;

  @BeforeAll
  static void readTheSources() throws IOException {
    List<Path> files = new ArrayList<>(files(SOURCES));
    StringBuilder all = new StringBuilder();
    files.forEach(file -> all.append(read(file)));
    code = JOIN.matcher(all).replaceAll("").replace("\\\"", "\"");
    assertTrue(code.contains("class PriorityMetrics"), "the sources were not found");
    files.addAll(files(TESTS));
    classes =
        files.stream()
            .map(file -> file.getFileName().toString().replaceFirst("\\.java$", ""))
            .collect(Collectors.toSet());
  }

  private static List<Path> files(List<String> directories) throws IOException {
    List<Path> found = new ArrayList<>();
    for (String directory : directories) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
        files.filter(file -> file.toString().matches(".*\\.(?:java|c|h)")).forEach(found::add);
      }
    }
    return found;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> quoted(String page) {
    return QUOTED
        .matcher(read(ROOT.resolve("docs").resolve(page)).replaceAll("(?s)```.*?```", ""))
        .results()
        .map(result -> result.group(1).replaceAll("\\s+", " "))
        .filter(text -> FOREIGN.stream().noneMatch(text::startsWith));
  }

  /** The parts of a message between its values; a text of one word is none. */
  private static Stream<String> parts(String message) {
    return message.contains(" ")
        ? VALUE.splitAsStream(message).filter(part -> part.strip().length() >= TELLING)
        : Stream.empty();
  }

  @Test
  void thePurposeOfEachModuleIsTold() {
    String page = "troubleshooting.md";
    Set<String> told = quoted(page).collect(Collectors.toSet());
    Set<String> purposes =
        PURPOSE
            .matcher(code)
            .results()
            .map(result -> result.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(purposes.size() > 8, purposes.toString());
    purposes.removeAll(told);
    assertEquals(Set.of(), purposes, "modules that docs/" + page + " does not have");
  }

  private static boolean isCommand(String text) {
    return text.matches("[\\w.-]+ -.*|(?:hprio|hdfs|systemctl|journalctl|promtool|pbs|rm) .*")
        || text.contains("=");
  }

  /** Of this page only, which has dots for all that differs from message to message. */
  @Test
  void messagesOfTheRunbooksAreInTheCode() {
    String page = "runbooks.md";
    Set<String> unknown =
        quoted(page)
            .filter(text -> !isCommand(text))
            .flatMap(QuotedNamesTest::parts)
            .filter(part -> !code.contains(part.strip()))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), unknown, "no source has these of docs/" + page);
    assertTrue(quoted(page).flatMap(QuotedNamesTest::parts).count() > 10, "messages of " + page);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "runbooks.md",
        "troubleshooting.md",
        "operations.md",
        "hbase.md",
        "policy.md",
        "targets.md"
      })
  void countersClassesAndKeysAreThere(String page) {
    String keys = read(ROOT.resolve("docs/configuration.md"));
    String metrics = read(ROOT.resolve("docs/metrics.md"));
    String rules = read(ROOT.resolve("dist/alerts/hadoop-prio.rules.yml"));
    Set<String> unknown = new TreeSet<>();
    quoted(page)
        .filter(COUNTER.asMatchPredicate())
        .filter(name -> !metrics.contains("`" + name + "`"))
        .filter(name -> !Pattern.compile("\\b(?:get)?" + name + "\\(").matcher(code).find())
        .filter(name -> !metrics.contains("## " + name + "\n") && !classes.contains(name))
        .filter(name -> !rules.contains("- alert: " + name + "\n"))
        .forEach(unknown::add);
    quoted(page)
        .flatMap(text -> KEY.matcher(text).results().map(result -> result.group()))
        .filter(key -> !keys.contains("`" + key + "`"))
        .forEach(unknown::add);
    quoted(page)
        .filter(text -> text.startsWith("io_priority_"))
        .filter(name -> !metrics.contains("`" + name + "`"))
        .forEach(unknown::add);
    assertEquals(Set.of(), unknown, "docs/" + page + " names what there is not");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "runbooks.md",
        "troubleshooting.md",
        "operations.md",
        "hbase.md",
        "policy.md",
        "targets.md"
      })
  void commandsAreThere(String page) {
    Set<String> commands =
        quoted(page)
            .flatMap(text -> COMMAND.matcher(text).results().map(result -> result.group(1)))
            .collect(Collectors.toCollection(TreeSet::new));
    // A node's program has a command more than the repository's.
    String node = read(ROOT.resolve("dist/src/root/bin/hprio"));
    String repository = read(ROOT.resolve("bin/lib/help.txt")) + read(ROOT.resolve("bin/hprio"));
    commands.removeIf(
        name ->
            repository.contains("\n== hprio " + name + "\n")
                || repository.contains("\n  " + name + "  ")
                || node.contains("\n  " + name + ")"));
    assertEquals(Set.of(), commands, "docs/" + page + " names commands that there are not");
  }
}
