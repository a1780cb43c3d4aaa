// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopprio.tools.node.FakeDaemon;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Runs the command against two answers of a DataNode with four volumes, one second apart. */
class TopCommandTest {

  private static final String AGENT = "org.hadoopprio:type=IoPriority";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private static String captured(String name) throws IOException {
    try (InputStream in = TopCommandTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static JsonNode volumes(String name) throws IOException {
    return JSON.readTree(captured(name)).path("Volumes");
  }

  private static FakeDaemon dataNode() throws IOException {
    return new FakeDaemon().answers(AGENT, List.of(captured("top-1.json"), captured("top-2.json")));
  }

  private int run(String... arguments) {
    return new CommandLine(new TopCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private static DiskTop second() throws IOException {
    return new DiskTop(
        volumes("top-1.json"),
        volumes("top-2.json"),
        Instant.parse("2026-11-22T15:20:01.234Z"),
        1.0);
  }

  @Test
  void eachVolumeIsALine() throws IOException {
    String expected =
        String.join(
            System.lineSeparator(),
            "http://node:9864  2026-11-22T15:20:01Z  last 1.0 s",
            "volume       mode    rt%  be% idle% free% wait rt/be/idle  waits/s  mean ms  turns/s"
                + "  share",
            "/data/1/dfs  turns    24   62     4    10          0/15/2     34.0    250.0      9.0"
                + "   0.70",
            "/data/2/dfs  order     -    -     -     -               -        -        -        -"
                + "      -  nvme0n1 does not rotate",
            "/data/3/dfs  turns     0    0     0   100           0/0/0      0.0        -      0.0"
                + "   0.70  nobody waits: no turn was given for too long",
            "/data/4/dfs  off       -    -     -     -               -        -        -        -"
                + "      -");
    assertEquals(expected, second().toText("http://node:9864", false, 0));
  }

  /** A volume's queue, in which quotes are apostrophes. */
  private static JsonNode queue(String attributes) throws IOException {
    return JSON.readTree(
        "[{'volume': '/d', 'mode': 'turns', 'queue': {ATTRIBUTES}}]"
            .replace("ATTRIBUTES", attributes)
            .replace('\'', '"'));
  }

  private static List<String> below(DiskTop top, boolean tenants, int slow) {
    return top.toText("", tenants, slow).lines().skip(3).collect(Collectors.toList());
  }

  @Test
  void aTenantsLineSaysWhoHadTheDiskMeanwhile() throws IOException {
    JsonNode before =
        queue(
            "'tenants': [{'tenant': 'etl', 'diskMillis': 100, 'realtimeDiskMillis': 0, 'waits': 1,"
                + " 'waitMillis': 50, 'slow': 1,"
                + " 'blamed': [{'tenant': 'shop', 'ioClass': 'rt', 'millis': 50}]}]");
    JsonNode after =
        queue(
            "'tenants': [{'tenant': 'etl', 'diskMillis': 350, 'realtimeDiskMillis': 100, 'waits': 5,"
                + " 'waitMillis': 450, 'slow': 3,"
                + " 'blamed': [{'tenant': 'etl', 'ioClass': 'be', 'millis': 60},"
                + " {'tenant': 'shop', 'ioClass': 'rt', 'role': 'wal', 'millis': 120},"
                + " {'tenant': 'shop', 'ioClass': 'rt', 'millis': 250},"
                + " {'tenant': 'shop', 'ioClass': 'be', 'millis': 100},"
                + " {'tenant': 'lab', 'ioClass': 'idle', 'millis': 0}]},"
                + " {'tenant': 'shop', 'diskMillis': 500}]");
    assertEquals(
        List.of(
            "  tenant etl                  disk  25% (rt 10%)  waits/s 4.0  mean ms 100.0  slow 2"
                + "  meanwhile had it shop rt 50%, shop rt wal 30%, shop be 25%, etl be 15%",
            "  tenant shop                 disk  50% (rt 0%)  waits/s 0.0  mean ms -"),
        below(new DiskTop(before, after, Instant.EPOCH, 1), true, 0));
  }

  @Test
  void fiveAreNamedOfThoseWhoHadTheDisk() throws IOException {
    List<String> blamed = new ArrayList<>();
    for (String role : List.of("wal", "flush", "prefetch", "store-open", "client-read")) {
      blamed.add("{'tenant': 'shop', 'ioClass': 'be', 'role': '" + role + "', 'millis': 100}");
    }
    blamed.add("{'tenant': 'lab', 'ioClass': 'be', 'role': 'wal', 'millis': 30}");
    blamed.add("{'tenant': 'lab', 'ioClass': 'idle', 'role': 'wal', 'millis': 20}");
    JsonNode after =
        queue(
            "'tenants': [{'tenant': 'etl', 'waits': 1, 'waitMillis': 1000, 'blamed': ["
                + String.join(", ", blamed)
                + "]}]");
    List<String> lines = below(new DiskTop(queue(""), after, Instant.EPOCH, 1), true, 0);
    assertTrue(
        lines.get(0).endsWith("shop be store-open 10%, shop be client-read 10%, others 5%"),
        lines.get(0));
  }

  private static String slowRead(int second) {
    return "{'time': '2026-11-29T02:01:0SECOND.123Z', 'tenant': 'etl', 'priority': 'be:4', 'role': 'flush', 'waitMillis':"
            .replace("SECOND", "" + second)
        + " 1532, 'blamed': [{'tenant': 'shop', 'ioClass': 'rt', 'millis': 920},"
        + " {'tenant': 'etl', 'ioClass': 'be', 'millis': 460}]}";
  }

  @Test
  void aSlowReadsLineSaysWhoHadTheDiskMeanwhile() throws IOException {
    JsonNode before = queue("'slow': 1, 'slowReads': [" + slowRead(1) + "]");
    JsonNode after =
        queue(
            "'slow': 3, 'slowReads': ["
                + String.join(", ", slowRead(1), slowRead(2), slowRead(3))
                + "]");
    DiskTop top = new DiskTop(before, after, Instant.EPOCH, 1);
    String line =
        "  slow 2026-11-29T02:01:03.123Z  etl be:4 flush  waited 1532 ms"
            + "  meanwhile had it shop rt 920 ms, etl be 460 ms";
    assertEquals(List.of(line), below(top, false, 1));
    assertEquals(3, below(top, false, 100).size(), "also those before");
    assertEquals(List.of(), below(top, false, 0));
    JsonNode inInterval = JSON.readTree(top.toJson()).path("volumes").get(0).path("slowReads");
    assertEquals(2, inInterval.size(), "those of the interval");
    assertEquals("shop", inInterval.get(0).path("blamed").get(0).path("tenant").asText());
  }

  @Test
  void sharesOfAnArrayAreThoseOfAllReadsTogether() throws IOException {
    DiskTop half = new DiskTop(volumes("top-1.json"), volumes("top-2.json"), Instant.EPOCH, 0.45);
    String line = half.toText("", false, 0).lines().skip(2).findFirst().orElseThrow();
    assertTrue(line.startsWith("/data/1/dfs  turns    27   69     4     0 "), line);
  }

  @Test
  void aRestartIsNoNegativeUse() throws IOException {
    DiskTop restarted = new DiskTop(volumes("top-2.json"), volumes("top-1.json"), Instant.EPOCH, 1);
    String line = restarted.toText("", false, 0).lines().skip(2).findFirst().orElseThrow();
    assertTrue(line.startsWith("/data/1/dfs  turns     0    0     0   100 "), line);
  }

  @Test
  void jsonIsOneLineForEachInterval() throws IOException {
    try (FakeDaemon daemon = dataNode()) {
      assertEquals(0, run("--http", daemon.address(), "--count", "2", "--json"), err.toString());
    }
    List<String> lines = out.toString().lines().collect(Collectors.toList());
    assertEquals(2, lines.size(), out.toString());
    JsonNode first = JSON.readTree(lines.get(0));
    assertTrue(first.path("seconds").asDouble() >= 1, lines.get(0));
    assertEquals(4, first.path("volumes").size());
    JsonNode volume = first.path("volumes").get(0);
    assertEquals("/data/1/dfs", volume.path("volume").asText());
    assertEquals("sda", volume.path("device").asText());
    assertEquals(9, volume.path("turns").asLong());
    assertEquals(240, volume.path("realtime").path("diskMillis").asLong());
    assertEquals(15, volume.path("bestEffort").path("waiting").asInt());
    // The daemon's answer has not changed since.
    JsonNode next = JSON.readTree(lines.get(1)).path("volumes").get(0);
    assertEquals(0, next.path("realtime").path("diskMillis").asLong());
  }

  @Test
  void textThatDoesNotGoToATerminalHasNoControlCharacters() throws IOException {
    try (FakeDaemon daemon = dataNode()) {
      assertEquals(0, run("--http", daemon.address(), "--count", "1"), err.toString());
    }
    assertFalse(out.toString().contains("\033"), out.toString());
    assertTrue(out.toString().contains("/data/4/dfs"), out.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "--seconds, 0, 1 to 3600",
    "--seconds, 3601, 1 to 3600",
    "--count, 0, 1 or more",
    "--slow, 101, 1 to 100",
    "--http, node, HOST:PORT"
  })
  void whatIsNotAllowedIsRefused(String option, String value, String allowed) {
    assertEquals(2, run(option, value));
    String said = err.toString();
    assertTrue(said.contains(option) && said.contains(value) && said.contains(allowed), said);
  }

  @Test
  void aDaemonThatCannotTellIsAnError() throws IOException {
    assertEquals(1, run("--http", "127.0.0.1:1", "--count", "1"));
    assertTrue(err.toString().contains("http://127.0.0.1:1 does not answer"), err.toString());
    try (FakeDaemon stock = new FakeDaemon()) {
      assertEquals(1, run("--http", stock.address(), "--count", "1"));
      assertTrue(err.toString().contains("does not have the agent"), err.toString());
    }
    try (FakeDaemon old = new FakeDaemon().bean(AGENT, "\"Version\":\"0.0\"")) {
      assertEquals(1, run("--http", old.address(), "--count", "1"));
      assertTrue(err.toString().contains("too old"), err.toString());
    }
    try (FakeDaemon young = new FakeDaemon().bean(AGENT, "\"Volumes\":[]")) {
      assertEquals(0, run("--http", young.address(), "--count", "1"));
      assertTrue(out.toString().contains("no volumes"), out.toString());
    }
  }
}
