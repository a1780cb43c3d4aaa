// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.admit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerLimits;
import org.hadoopprio.tools.node.FakeDaemon;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Runs the command with a disk that is stated, and with what a DataNode has measured. */
class AdmitCommandTest {

  private static final String AGENT = "org.hadoopprio:type=IoPriority";

  private static final String TIMES =
      "\"reads\":400,\"readMicros\":9000,\"readDeviationMicros\":2800,"
          + "\"turns\":300,\"turnMicros\":58642,\"turnBytes\":8000000";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new AdmitCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.toString());
  }

  private static String volume(String directory, String mode, int streams, String times) {
    return String.format(
        "{\"volume\":\"%s\",\"mode\":\"%s\",\"reason\":\"%s\",\"device\":\"sda\",\"streams\":%d,"
            + "\"queue\":{%s}}",
        directory,
        mode,
        mode.equals("turns") ? "" : "sda does not rotate",
        streams,
        times.isEmpty() ? "" : "\"serviceTimes\":{" + times + "}");
  }

  private static FakeDaemon dataNode(String... volumes) throws IOException {
    return new FakeDaemon().bean(AGENT, "\"Volumes\":[" + String.join(",", volumes) + "]");
  }

  private void assertSays(int status, String message, String... arguments) {
    assertEquals(status, run(arguments), out + "\n" + err);
    String said = out + "\n" + err;
    assertTrue(said.contains(message), said);
  }

  @Test
  void aLoadThatFits() throws IOException {
    int status =
        run(
            "--read-ms",
            "9,2.8",
            "--stream-mb-per-s",
            "160",
            "--json",
            "--late=2",
            "--reads",
            "rt:0@100ms=18",
            "--streams",
            "be:4=16");
    assertEquals(0, status, out.toString());
    JsonNode json = json();
    assertTrue(json.path("fits").asBoolean() && !json.path("overloaded").asBoolean());
    JsonNode reads = json.path("reads").path(0);
    assertEquals("rt:0@100ms", reads.path("priority").asText());
    assertEquals(100, reads.path("targetMillis").asInt());
    assertTrue(reads.path("answered").asInt() > 5000 * 0.9, json.toString());
    double p50 = reads.path("p50Millis").asDouble();
    double p95 = reads.path("p95Millis").asDouble();
    double p99 = reads.path("p99Millis").asDouble();
    assertTrue(p50 > 9 && p50 < p95 && p95 < p99 && p99 < 110, json.toString());
    JsonNode streams = json.path("streams").path(0);
    assertEquals(16, streams.path("count").asInt());
    double rate = streams.path("megabytesPerSecond").asDouble();
    assertTrue(rate > 60 && rate < 160, json.toString());
    assertEquals(9, json.path("disk").path("readMillis").asDouble());
    assertEquals("as stated", json.path("disk").path("source").asText());
  }

  /** One of five calls needs the disk twice, the second time perhaps after its target. */
  @Test
  void secondReadsAreReckonedWith() throws IOException {
    String[] load = {
      "--read-ms=9,2.8",
      "--stream-mb-per-s=160",
      "--reads=rt:0@100ms=18",
      "--streams=be:4=16",
      "--json",
      "--late=2",
      "--second-reads=0"
    };
    assertEquals(0, run(load), out.toString());
    final double once = json().at("/reads/0/p99Millis").asDouble();
    final double answered = json().at("/reads/0/answered").asDouble();
    final double late = json().at("/reads/0/latePercent").asDouble();
    load[load.length - 1] = "--second-reads=20";
    assertEquals(1, run(load), out.toString());
    assertTrue(json().at("/reads/0/p99Millis").asDouble() > once + 5, out.toString());
    assertTrue(json().at("/reads/0/latePercent").asDouble() > 2 * late, out.toString());
    assertEquals(answered, json().at("/reads/0/answered").asDouble(), answered / 50);
    assertEquals(20, json().path("secondReadsPercent").asDouble());
  }

  /** Each answer says how far predictions were from measurements, whether it fits or not. */
  @Test
  void theErrorOfPredictionsIsBesideEachOne() throws IOException {
    assertSays(0, PredictionErrors.inWords(), "--read-ms=9", "--reads=rt:0=5");
    assertSays(1, PredictionErrors.inWords(), "--read-ms=9", "--reads=be:4=500");
    String words = PredictionErrors.inWords();
    assertTrue(words.startsWith("measured: "), words);
    double lowest = Double.MAX_VALUE;
    double highest = -Double.MAX_VALUE;
    run("--read-ms=9", "--reads=rt:0=5", "--json");
    JsonNode measured = json().path("measured");
    for (JsonNode pair : measured.path("pairs")) {
      double error =
          100
              * (pair.path("predictedP99Millis").asDouble()
                      / pair.path("measuredP99Millis").asDouble()
                  - 1);
      lowest = Math.min(lowest, error);
      highest = Math.max(highest, error);
      assertTrue(pair.path("measuredStreamsMegabytesPerSecond").asDouble() > 0, pair.toString());
    }
    assertTrue(
        words.endsWith(
            String.format(
                Locale.ROOT, "by %+.0f to %+.0f %% in the p99 of reads", lowest, highest)),
        words);
    assertTrue(words.contains(measured.path("source").asText()), words);
  }

  @Test
  void aTargetThatIsShorterThanAReadDoesNotFit() {
    assertSays(
        1,
        "does not fit: more than 1.0 % of the reads miss the target of rt:0@10ms",
        "--read-ms=9",
        "--stream-mb-per-s=160",
        "--reads=rt:0@10ms=5",
        "--reads=rt:1@500ms=5",
        "--streams=none=2");
    assertTrue(out.toString().matches("(?s).*rt:1@500ms .* 500 +0.0  yes.*"), out.toString());
    assertTrue(out.toString().matches("(?s).*rt:0@10ms .* 10 +[0-9.]+  no.*"), out.toString());
  }

  @Test
  void moreThanTheDiskCanAnswerDoesNotFit() throws IOException {
    assertSays(1, "more reads arrive than the disk can answer", "--read-ms=9", "--reads=be:4=500");
    assertFalse(out.toString().contains("NaN"), out.toString());
    assertSays(1, "\"overloaded\":true", "--read-ms=9", "--reads=be:4=10000", "--json");
    assertFalse(json().path("fits").asBoolean());
    // Nine of ten from the page cache leave 50.
    assertSays(
        0, "fits: the disk answers all reads", "--read-ms=9", "--reads=be:4=500", "--cached=90");
  }

  @Test
  void theDiskIsTheOneThatTheDataNodeHasMeasured() throws IOException {
    try (FakeDaemon daemon =
        dataNode(volume("/data/1", "turns", 1, TIMES), volume("/data/2", "order", 0, TIMES))) {
      daemon.conf(SchedulerKeys.SHARE.name(), "0.3");
      String[] load = {"--http", daemon.address(), "--reads=rt:0=20", "--streams=idle=4", "--json"};
      assertEquals(0, run(load), err.toString());
      JsonNode disk = json().path("disk");
      assertEquals(
          "volume /data/1 on sda, measured by http://" + daemon.address(),
          disk.path("source").asText());
      assertEquals(9, disk.path("readMillis").asDouble());
      assertEquals(2.8, disk.path("readDeviationMillis").asDouble());
      assertEquals(160, disk.path("streamMegabytesPerSecond").asDouble(), 0.5);
      assertEquals(0.3, json().path("realtimeShare").asDouble());
      // What is stated goes before.
      assertEquals(0, run("--http", daemon.address(), "--read-ms=5", "--reads=rt:0=20", "--json"));
      assertEquals(5, json().path("disk").path("readMillis").asDouble());
    }
  }

  @Test
  void theSettingsCount() throws IOException {
    try (FakeDaemon daemon = dataNode(volume("/data/1", "turns", 1, TIMES))) {
      String[] load = {"--http", daemon.address(), "--reads=rt:0=50", "--streams=be=4", "--json"};
      run(load);
      final double byDefault = json().at("/reads/0/p99Millis").asDouble();
      daemon.conf(SchedulerKeys.SHARE.name(), "0.3");
      run(load);
      double lessShare = json().at("/reads/0/p99Millis").asDouble();
      assertTrue(lessShare > 1.5 * byDefault, lessShare + " against " + byDefault);
      assertEquals(
          Double.parseDouble(SchedulerKeys.SHARE.defaultText()),
          SchedulerLimits.of(new Configuration(false)).realtimeShare());
    }
  }

  @Test
  void aDataNodeThatCannotTell() throws IOException {
    assertSays(2, "does not answer", "--http=127.0.0.1:1", "--reads=rt=1");
    try (FakeDaemon stock = new FakeDaemon()) {
      assertSays(2, "does not have the agent", "--http", stock.address(), "--reads=rt=1");
    }
    try (FakeDaemon old = dataNode(volume("/data/1", "turns", 1, ""))) {
      assertSays(2, "too old: it has no attribute", "--http", old.address(), "--reads=rt=1");
    }
    try (FakeDaemon array = dataNode(volume("/data/1", "turns", 4, TIMES))) {
      assertSays(2, "4 streams read together", "--http", array.address(), "--reads=rt=1");
    }
    try (FakeDaemon flash = dataNode(volume("/data/1", "order", 0, TIMES))) {
      assertSays(2, "no volume in mode turns", "--http", flash.address(), "--reads=rt=1");
      assertSays(
          2,
          "volume /data/1 has mode order (sda does not rotate); only mode turns",
          "--http",
          flash.address(),
          "--volume=/data/1",
          "--reads=rt=1");
    }
    String few = TIMES.replace("\"reads\":400", "\"reads\":7").replace(":300", ":8");
    try (FakeDaemon young = dataNode(volume("/data/1", "turns", 1, few))) {
      assertSays(2, "state --read-ms", "--http", young.address(), "--reads=rt=1");
      assertSays(
          2, "state --stream-mb-per-s", "--http", young.address(), "--read-ms=9", "--streams=be=1");
      assertSays(0, "fits", "--http", young.address(), "--read-ms=9", "--reads=rt=1");
    }
    try (FakeDaemon two =
        dataNode(volume("/data/1", "turns", 1, TIMES), volume("/data/2", "turns", 1, TIMES))) {
      assertSays(2, "--volume with /data/1, /data/2", "--http", two.address(), "--reads=rt=1");
      assertSays(
          2,
          "--volume = /data/3: allowed: /data/1, /data/2",
          "--http",
          two.address(),
          "--volume=/data/3",
          "--reads=rt=1");
      assertSays(
          0, "volume /data/2 on", "--http", two.address(), "--volume=/data/2", "--reads=rt=1");
    }
  }

  @Test
  void coldFilesAreReckonedWith() throws IOException {
    String cold = TIMES.replace("\"turns\":300", "\"openMicros\":12000,\"turns\":300");
    double p50 = 0;
    for (String times : List.of(TIMES, cold)) {
      try (FakeDaemon daemon = dataNode(volume("/data/1", "turns", 1, times))) {
        run("--json", "--http", daemon.address(), "--reads=rt=10", "--streams=be=4");
        assertEquals(times.equals(cold) ? 12 : 0, json().at("/disk/openMillis").asDouble());
        double measured = json().at("/reads/0/p50Millis").asDouble();
        assertTrue(measured > p50 + 5, measured + " ms after " + p50);
        p50 = measured;
        run("--json", "--http", daemon.address(), "--open-ms=5", "--reads=rt=10");
        assertEquals(5, json().at("/disk/openMillis").asDouble(), "what is stated goes before");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--reads, rt:0=0, allowed: 0.1 to 10000.0 reads/s",
    "--reads, rt:0=-5, allowed: 0.1 to 10000.0 reads/s",
    "--reads, rt:0=many, allowed: 0.1 to 10000.0 reads/s",
    "--reads, rt:0=NaN, allowed: 0.1 to 10000.0 reads/s",
    "--reads, rt:0, PRIORITY=NUMBER",
    "--reads, gold=5, 'I/O priority \"gold\" is not allowed'",
    "--reads, rt:0@90s=5, target of 1ms to 60s",
    "--streams, rt:0=5, allowed: be",
    "--streams, be@1s=5, without a target",
    "--streams, be=0, 1.0 to 1000.0 streams",
    "--streams, be=1.5, a whole number",
    "--cached, 101, 0 to 100 percent",
    "--cached, -1, 0 to 100 percent",
    "--second-reads, 101, 0 to 100 percent",
    "--second-reads, -1, 0 to 100 percent",
    "--late, 101, 0 to 100 percent",
    "--read-ms, 0, 0.5 to 1000.0 ms",
    "--read-ms, 'fast', 0.5 to 1000.0 ms",
    "'--read-ms', '9,10', 0.0 to 9.0 ms for the deviation",
    "--stream-mb-per-s, 0, 1.0 to 10000.0 MB/s",
    "--turn-overhead-ms, -1, 0.0 to 1000.0 ms",
    "--open-ms, -1, 0.0 to 1000.0 ms",
    "--open-ms, 1001, 0.0 to 1000.0 ms",
    "--volume, /data/1, only with --http",
    "--http, node, HOST:PORT",
  })
  void whatIsNotAllowedIsRefused(String option, String value, String allowed) {
    assertSays(2, allowed, "--reads=be:7=1", option + "=" + value);
    assertTrue(err.toString().contains(option) && err.toString().contains(value), err.toString());
  }

  @Test
  void whatIsMissingIsNamed() {
    assertSays(2, "state --reads, --streams or both", "--read-ms=9");
    assertSays(2, "state --http, or --read-ms", "--reads=rt=1");
    assertSays(2, "state --http, or --stream-mb-per-s", "--read-ms=9", "--streams=be=1");
    assertSays(2, "each priority once", "--read-ms=9", "--reads=rt=1", "--reads=rt:4=2");
    assertSays(2, "no such disk", "--read-ms=9", "--stream-mb-per-s=2", "--streams=be=1");
  }
}
