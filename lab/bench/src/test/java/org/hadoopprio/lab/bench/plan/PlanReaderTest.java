// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanReaderTest {

  private static final String PLAN = "ownwork";
  private static final int MOST_LINES = 80;

  private static String refused(String text) {
    return assertThrows(
            IllegalArgumentException.class, () -> PlanReader.read(PLAN, "own.yaml", text))
        .getMessage();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ownwork",
        "latency/outputs",
        "latency/multigets",
        "starvation",
        "mixed",
        "jobs",
        "tenants"
      })
  void aShippedPlanIsShort(String name) throws IOException {
    Plan plan = ShippedPlan.read(name);
    assertTrue(ShippedPlan.text(name).lines().count() <= MOST_LINES);
    assertFalse(plan.about().isEmpty());
    assertFalse(plan.conclusions().targets().isEmpty());
  }

  @Test
  void theExampleOfTheDocumentationIsAPlan() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "experiments.md"));
    String example = page.replaceFirst("(?s).*\n```yaml\n(.*?)```.*", "$1");
    Plan plan = PlanReader.read("example", "experiments.md", example);
    assertEquals(Set.of("usual", "small"), plan.systems().keySet());
  }

  @Test
  void aSystemChangesTheParametersOfALoad() throws IOException {
    Plan plan = ShippedPlan.read("latency/multigets");
    Plan.Condition condition = plan.conditions().get("multi-gets");
    Map<String, String> each = plan.parameters("multi-gets", condition, plan.systems().get("each"));
    assertEquals("each", each.get("way"));
    assertEquals("rt:0@250ms", each.get("priority"));
    assertEquals("1", each.get("rate"));
    Map<String, String> stock =
        plan.parameters("multi-gets", condition, plan.systems().get("order-of-arrival"));
    assertFalse(stock.containsKey("priority"));
    assertEquals(Map.of("rate", "40"), plan.loads().get("multi-gets").warmUp());
  }

  /** What is wrong, the line where that is, and what is allowed there. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "loads: [puts]         | loads: [gets]      | no load \"gets\"; allowed: puts, compactions",
        "run: compactions      | run: scans         | no load \"scans\"; allowed: random-puts, ",
        "rate: 10,             | rte: 10,           | no parameter of random-puts \"rte\"; allowed: table, length, rate, threads",
        "rate: 10,             | rate: ten,         | is not a double",
        "length: 1024,         | threads: 1,        | \"threads\" is there twice",
        "length: 1024,         | priority: rt:0,    | \"length\" is missing, with system stock",
        "length: 1024,         | length: 1, priority: zz, | \"zz\"",
        "disk-mib: 4608        | disk-mib: lots     | \"lots\"; allowed: a number from 256 to",
        "hbase: true           | hbase: on          | no truth value \"on\"; allowed: true, false",
        "mib: 768,             | mb: 768,           | no key \"mb\"; allowed: table, regions, mib, value-bytes",
        "async-depth: 4        | async: 4           | no key \"async\"; allowed: preset, write-cache, async-depth",
        "scheduler: off,       | schedule: off,     | no key \"dfs.datanode.io.priority.schedule\"; allowed: ",
        "scheduler: off,       | scheduler: maybe,  | \"maybe\" is not off, observe, order or turns",
        "dfs.datanode.io.priority.roles: none} | dfs.blocksize: 1} | key \"dfs.blocksize\" is not changed while a daemon runs; allowed in a system: dfs.datanode.io.priority.",
        "Puts: puts.reads      | Puts: gets.reads   | no load \"gets\"; allowed: puts, compactions, all",
        "Puts: puts.reads      | Puts: puts.p98_ms  | no figure \"p98_ms\" of puts; allowed: reads, ",
        "Puts: puts.reads      | Puts: puts         | no figure \"puts\"; allowed: LOAD.FIGURE",
        "Puts: puts.reads      | Puts: puts.reads / ours | no system \"ours\"; allowed: stock, defaults",
        "require: p99 ms of    | require: p98 ms of | no column \"p98 ms\"; allowed: Puts, mean ms",
        "of stock / defaults   | of stock / ours    | no system \"ours\"; allowed: stock, defaults",
        "in compaction >= 2    | in rest >= 2       | no condition \"rest\"; allowed: alone, compaction",
        "in compaction >= 2    | in compaction = 2  | allowed: COLUMN of SYSTEM",
        "column: mean ms       | column: mean       | no column \"mean\"; allowed: Puts, mean ms",
        "compaction: {loads: [puts, compactions], | compaction: {systems: [stock], loads: [puts, compactions], | no system of condition compaction \"defaults\"; allowed: stock",
        "in compaction >= 0.85 | in alone >= 0.85   | system defaults has no load \"compactions\" in condition alone; allowed: puts",
        "quick: {seconds: 10}  | quick: {vary: [1]} | no value \"1\"; allowed: ",
        "write-back: {}        | write-back: {preset: st1} | no drive \"st1\"; allowed: sdc21, cdltools23",
        "title: What           | titel: What        | no key \"titel\"; allowed: title, about",
        "- {table: puts, regions: 1, mib: 768, value-bytes: 32768} | - [puts | no YAML: ",
      })
  void whatIsWrongIsNamedWithItsLine(String right, String wrong, String message)
      throws IOException {
    String text = ShippedPlan.text(PLAN);
    assertTrue(text.contains(right), right);
    String broken = text.replaceFirst(Pattern.quote(right), wrong);
    String said = refused(broken);
    assertTrue(said.contains(message), said);
    assertTrue(said.matches("(?s)own\\.yaml:\\d+: .*"), said);
  }

  /** Measurements of other names would all be the same. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{random.threads: &threads | {writers.streams: &threads | parameters of \"writers\", which is not run; allowed: of random, streams",
        "stock: {datanode: | stock: {loads: {random: {threads: 3}}, datanode: | random.threads is set, too, by condition random",
        "[1, 2, 4, 16, 48, 64, 96, 112, 128] | [] | no value; allowed: one or more",
        "[1, 2, 4, 16, 48, 64, 96, 112, 128] | [\"1:2\"] | \"1:2\" varies; allowed: letters, digits",
      })
  void aConditionVariesWhatItRuns(String right, String wrong, String message) throws IOException {
    String text = ShippedPlan.text("starvation");
    assertTrue(text.contains(right), right);
    String said = refused(text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong)));
    assertTrue(said.contains(message), said);
  }

  @Test
  void aTargetsDivisorIsMeasured() throws IOException {
    String text = ShippedPlan.text("starvation");
    String said = refused(text.replace("one.busy / other.busy", "one.busy / streams.busy"));
    assertTrue(said.contains("has no load \"streams\" in condition be0-be7"), said);
    said =
        refused(text.replace("streams.longest_wait_ms,", "streams.longest_wait_ms / order-idle,"));
    assertTrue(said.contains("no system of condition random-1 \"order-idle\""), said);
  }

  /** The value may be a system's, a condition's, that of the warm-up, or the load's own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "latency/multigets | way: each, | way: none, | Invalid value for option '--way'",
        "latency/multigets | warm-up: {rate: 40} | warm-up: {rate: many} | 'many' is not a double",
        "latency/multigets | threads: 64 | thread: 64 | no parameter of random-multi-gets \"thread\"; allowed: ",
        "latency/multigets | threads: 64 | threads: many | 'many' is not an int",
        "latency/multigets | streams: 16} | streams: 0} | \"0\" for streams; allowed: 1 or more",
        "starvation | with: {streams: {streams: 1}} | with: {streams: {streams: none}} | \"none\" for streams",
        "starvation | &threads [1, 2, | &threads [1, two, | 'two' is not an int",
        "starvation | one: {priority: \"be:4\"} | one: {priority: \"be:9\"} | be:9",
        "mixed | scans: {ionice: idle}}} | scans: {ionice: low}}} | \"low\" for ionice; allowed: realtime, best-effort, idle",
        "mixed | ionice: realtime | ionice: none | no I/O class \"none\"; allowed: realtime",
        "mixed | throttle: {agent: false, | throttle: {agent: false, datanode: {}, | datanode without hadoop-prio's agent; allowed: none",
      })
  void aBadValueIsNamedWithItsOwnLine(String plan, String right, String wrong, String message)
      throws IOException {
    String text = ShippedPlan.text(plan);
    String broken = text.replace(right, wrong);
    long line = 1 + text.lines().takeWhile(each -> broken.contains(each + "\n")).count();
    String said = refused(broken);
    assertTrue(said.startsWith("own.yaml:" + line + ": "), said);
    assertTrue(said.contains(message), said);
  }

  /** What stands in it, what is wrong in its place, and what is said of that. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tenant: report} | tenant: web} | no tenant of system turns \"web\"; allowed: scan, export, serve, report, ingest",
        "tenant: ingest} | tenant: In} | \"In\" for tenant; allowed: 1 to 40 of a-z, 0-9 and -",
        "tenants: [scan, | tenants: [\"a b\", | \"a b\" as a tenant; allowed: 1 to 40 of a-z, 0-9 and -",
        "tenants: [scan, | tenants: [scan, scan, | tenant \"scan\" is there twice",
        "stock: {agent: false} | stock: {agent: false, tenants: [scan]} | tenants without hadoop-prio's agent; allowed: none",
        "stock: {agent: false} | stock: {datanode: {dfs.datanode.io.priority.scheduler: off}} | system stock leaves open what others set of datanode: dfs.datanode.io.priority.policy.file",
        "scheduler: turns}, | scheduler: turns, dfs.datanode.io.priority.policy.file: \"\"}, | tenants beside dfs.datanode.io.priority.policy.file; allowed: one",
        "scheduler: turns}, | scheduler: turns}, regionserver: {hbase.regionserver.io.priority.policy.file: \"\"}, | tenants beside hbase.regionserver.io.priority.policy.file; allowed: one",
        "serve.mb_per_s / part | serve.p99_ms / part | no part of \"p99_ms\"; allowed: of mb_per_s",
        "serve.mb_per_s / part | serve.mb_per_s / half | no system \"half\"; allowed: stock, turns, part, or LOAD.FIGURE",
        "scan: {loads: [scan], | scan: {systems: [turns], loads: [scan], | no condition has only \"scan\", as it is in two-alike, with system stock",
        "two: {loads: [scan, serve], | two: {loads: [scan, serve], with: {serve: {threads: 2}}, | no condition has only \"serve\", as it is in two, with system stock",
        "R of scan of turns >= | R of scan of turns in scan >= | condition scan has one load, which has all; allowed: more",
      })
  void tenantsAreNamedAndPartsAreOfWhatIsMeasuredAlone(String right, String wrong, String message)
      throws IOException {
    String text = ShippedPlan.text("tenants");
    assertTrue(text.contains(right), right);
    String said = refused(text.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong)));
    assertTrue(said.contains(message), said);
    assertTrue(said.matches("(?s)own\\.yaml:\\d+: .*"), said);
  }

  @Test
  void aJobHasNoPart() throws IOException {
    String text =
        ShippedPlan.text("jobs").replace("Gets: gets.reads", "total: all.mb_per_s / part");
    String said = refused(text);
    assertTrue(said.contains("no figure \"mb_per_s\" of wordcount in condition wordcount"), said);
  }

  @Test
  void anotherSchedulerHasNoAsyncDepth() throws IOException {
    String said =
        refused(
            ShippedPlan.text("starvation")
                .replace("cluster: {", "cluster: {drives: {slow: {async-depth: 4}}, "));
    assertTrue(said.endsWith("bfq has no async-depth, which a drive sets; allowed: mq-deadline"));
  }

  @Test
  void theLineIsThatOfTheName() throws IOException {
    String text = ShippedPlan.text(PLAN).replace("puts.p99_ms", "puts.p98_ms");
    int line = 1 + (int) text.lines().takeWhile(each -> !each.contains("p98_ms")).count();
    assertTrue(refused(text).startsWith("own.yaml:" + line + ": no figure"), refused(text));
  }

  /** It would stay as the system before has left it. */
  @Test
  void aKeyThatOneSystemSetsAllSet() throws IOException {
    String text =
        ShippedPlan.text(PLAN)
            .replace(
                "scheduler: turns, dfs.datanode.io.priority.roles: \"\"}", "scheduler: turns}");
    assertTrue(
        refused(text)
            .endsWith(
                "system defaults leaves open what others set of datanode:"
                    + " dfs.datanode.io.priority.roles"),
        refused(text));
  }

  @Test
  void aPartThatIsMissingIsNamed() {
    assertEquals("own.yaml: it is empty; allowed: a plan", refused(""));
    assertEquals("own.yaml:1: \"loads\" is missing", refused("title: x\n"));
    assertEquals(
        "own.yaml:2: there are no loads; allowed: one or more", refused("title: x\nloads: {}\n"));
    assertTrue(refused("a: &a [*a]\n").contains("own.yaml:1: "), refused("a: &a [*a]\n"));
  }
}
