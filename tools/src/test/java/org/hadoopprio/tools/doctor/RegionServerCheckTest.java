// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory;
import org.hadoopprio.hbase.regionserver.IoPriorityObserver;
import org.hadoopprio.hbase.regionserver.IoPriorityRpcSchedulerFactory;
import org.hadoopprio.tools.node.FakeDaemon;
import org.hadoopprio.tools.node.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys by which a RegionServer loads hadoop-prio's classes, and what is told if one is missing. */
class RegionServerCheckTest {

  private static final String REGION = CoprocessorHost.REGION_COPROCESSOR_CONF_KEY;
  private static final String USER_REGION = CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY;
  private static final String FACTORY = "hbase.region.server.rpc.scheduler.factory.class";
  private static final String OBSERVER = IoPriorityObserver.class.getName();
  private static final String OWN_FACTORY = IoPriorityRpcSchedulerFactory.class.getName();
  private static final String STOCK_FACTORY = SimpleRpcSchedulerFactory.class.getName();

  @TempDir private Path root;

  private List<String> problems(FakeDaemon daemon, Configuration given) throws IOException {
    return findings(daemon, given, Severity.PROBLEM);
  }

  private List<String> findings(FakeDaemon daemon, Configuration given, Severity severity)
      throws IOException {
    Path host = Files.createTempDirectory(root, "host");
    Doctor doctor = new Doctor(HostTree.unpack("node.tree", host), new FakeCalls(), "1.0");
    if (given != null) {
      doctor.conf(given);
    }
    return doctor.http(daemon.address()).examine().findings().stream()
        .filter(f -> f.severity() == severity && f.check().equals("agent"))
        .map(f -> f.text() + " => " + f.remedy())
        .collect(Collectors.toList());
  }

  /** Asked for its regions, and how many of them have the coprocessor. */
  private static FakeDaemon regionServer(Map<String, String> conf, int regions, String observed)
      throws IOException {
    FakeDaemon daemon =
        new FakeDaemon()
            .bean("Hadoop:service=HBase,name=RegionServer,sub=Server", "\"regionCount\":" + regions)
            .bean("java.lang:type=Runtime", "\"Name\":\"1@other\"")
            .bean(
                "org.hadoopprio:type=IoPriority",
                "\"Version\":\"1.0\",\"HooksApplied\":2,\"HooksTotal\":2" + observed);
    conf.forEach(daemon::conf);
    return daemon;
  }

  static Stream<Arguments> configurations() {
    String noPriority = ": Gets, scans and writes have no priority => ";
    String restart = " in its hbase-site.xml and restart it";
    String agree = "; where its configuration is managed, all that set this key must agree";
    String noFactory =
        ": real-time calls wait for a handler behind all others, and calls at idle can have all"
            + " handlers => set ";
    String setFactory = noFactory + FACTORY + " to " + OWN_FACTORY + restart;
    String noObserver =
        REGION + " is not set" + noPriority + "set " + REGION + " to " + OBSERVER + restart + agree;
    Map<String, String> both = Map.of(REGION, OBSERVER, FACTORY, OWN_FACTORY);
    return Stream.of(
        Arguments.of(both, List.of()),
        Arguments.of(
            Map.of(REGION, "a.B, " + OBSERVER + " |100 ,c.D", FACTORY, OWN_FACTORY), List.of()),
        Arguments.of(Map.of(USER_REGION, OBSERVER, FACTORY, OWN_FACTORY), List.of()),
        Arguments.of(Map.of(), List.of(noObserver, FACTORY + " is not set" + setFactory)),
        Arguments.of(
            Map.of(REGION, "a.B, c.D", FACTORY, OWN_FACTORY),
            List.of(
                REGION
                    + " names only a.B,c.D"
                    + noPriority
                    + "set "
                    + REGION
                    + " to "
                    + OBSERVER
                    + ",a.B,c.D"
                    + restart
                    + agree)),
        Arguments.of(
            Map.of(REGION, OBSERVER, FACTORY, STOCK_FACTORY),
            List.of(FACTORY + " is " + STOCK_FACTORY + setFactory)),
        // A factory that somebody has chosen is not to be replaced without a thought.
        Arguments.of(Map.of(REGION, OBSERVER, FACTORY, "a.Factory"), List.of()),
        // That key is about coprocessors of a table's descriptor.
        Arguments.of(
            Map.of(
                REGION, OBSERVER, FACTORY, OWN_FACTORY, "hbase.coprocessor.user.enabled", "false"),
            List.of()),
        // It has the background handlers, too.
        Arguments.of(
            Map.of(REGION, OBSERVER, "hbase.regionserver.io.priority.realtime.handlers", "0"),
            List.of(FACTORY + " is not set" + setFactory)),
        // Whoever wants none of either needs no factory.
        Arguments.of(
            Map.of(
                REGION,
                OBSERVER,
                "hbase.regionserver.io.priority.realtime.handlers",
                "0",
                "hbase.regionserver.io.priority.background.handlers",
                "0"),
            List.of()),
        Arguments.of(
            Map.of(REGION, OBSERVER, FACTORY, OWN_FACTORY, "hbase.coprocessor.enabled", "false"),
            List.of(
                "hbase.coprocessor.enabled is false, and HBase loads no coprocessor"
                    + noPriority
                    + "set it to true"
                    + restart)));
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void eachKeyThatLacksItsEntryIsNamed(Map<String, String> conf, List<String> problems)
      throws IOException {
    // An agent that does not count the regions that have the coprocessor.
    try (FakeDaemon daemon = regionServer(conf, 3, "")) {
      assertEquals(problems, problems(daemon, null));
    }
  }

  /** Phoenix's, whose package is one of HBase's. */
  @ParameterizedTest
  @ValueSource(strings = {"a.Factory", "org.apache.hadoop.hbase.ipc.PhoenixRpcSchedulerFactory"})
  void anotherFactoryIsKeptByTheKeyForIt(String other) throws IOException {
    Map<String, String> conf = Map.of(REGION, OBSERVER, FACTORY, other);
    try (FakeDaemon daemon = regionServer(conf, 3, "")) {
      assertEquals(List.of(), problems(daemon, null));
      String advice = findings(daemon, null, Severity.ADVICE).toString();
      assertTrue(
          advice.contains(
              "set "
                  + FACTORY
                  + " to "
                  + OWN_FACTORY
                  + " and hbase.regionserver.io.priority.scheduler.factory.class to "
                  + other),
          advice);
    }
  }

  /** The files of --conf may have been mended since it was started. */
  @Test
  void theRunningOnesConfigurationDecides() throws IOException {
    Configuration mended = new Configuration(false);
    mended.set(REGION, OBSERVER);
    mended.set(FACTORY, OWN_FACTORY);
    try (FakeDaemon daemon = regionServer(Map.of(), 3, ",\"Regions\":0")) {
      assertEquals(2, problems(daemon, mended).size());
    }
  }

  /** Its /conf may be for administrators only. */
  @Test
  void keysThatMayNotBeReadAreNotChecked() throws IOException {
    try (FakeDaemon daemon = regionServer(Map.of(), 3, ",\"Regions\":0").withoutConf()) {
      Configuration given = new Configuration(false);
      assertEquals(List.of(), problems(daemon, given));
      List<String> skipped = findings(daemon, given, Severity.SKIPPED);
      assertEquals(1, skipped.size(), skipped.toString());
      assertTrue(skipped.get(0).startsWith("its keys were not checked: "), skipped.toString());
    }
  }

  static Stream<Arguments> regions() {
    return Stream.of(
        Arguments.of(3, ",\"Regions\":0", 1),
        Arguments.of(3, ",\"Regions\":1", 0),
        Arguments.of(0, ",\"Regions\":0", 0),
        // An agent that does not count them.
        Arguments.of(3, "", 0));
  }

  /** The coprocessor may come by a table's descriptor. */
  @Test
  void whatARegionHasIsNotMissing() throws IOException {
    try (FakeDaemon daemon = regionServer(Map.of(FACTORY, OWN_FACTORY), 3, ",\"Regions\":1")) {
      assertEquals(List.of(), problems(daemon, null));
    }
  }

  /** It does not fit this HBase, or the keys are newer than the RegionServer's start. */
  @ParameterizedTest
  @MethodSource("regions")
  void aCoprocessorThatIsNamedAndNotThereIsTold(int regions, String observed, int problems)
      throws IOException {
    Map<String, String> both = Map.of(REGION, OBSERVER, FACTORY, OWN_FACTORY);
    try (FakeDaemon daemon = regionServer(both, regions, observed)) {
      List<String> found = problems(daemon, null);
      assertEquals(problems, found.size(), found.toString());
      for (String problem : found) {
        assertTrue(problem.startsWith("none of its 3 regions has the coprocessor"), problem);
        assertTrue(problem.endsWith("its log says what does not fit"), problem);
      }
    }
  }

  static Stream<Arguments> tables() {
    String meta = "\"Namespace_hbase_table_meta_metric_storeCount\":1";
    String user = "\"Namespace_default_table_t_metric_storeCount\":1";
    return Stream.of(
        Arguments.of(USER_REGION, meta, 0),
        Arguments.of(USER_REGION, meta + "," + user, 1),
        Arguments.of(USER_REGION, user, 1),
        Arguments.of(REGION, meta, 1));
  }

  /** By the key for users' regions, HBase gives no coprocessor to the regions of its own tables. */
  @ParameterizedTest
  @MethodSource("tables")
  void regionsOfHBasesOwnTablesLackNothingByThatKey(String key, String tables, int problems)
      throws IOException {
    Map<String, String> conf = Map.of(key, OBSERVER, FACTORY, OWN_FACTORY);
    try (FakeDaemon daemon = regionServer(conf, 3, ",\"Regions\":0")) {
      daemon.bean("Hadoop:service=HBase,name=RegionServer,sub=Tables", tables);
      List<String> found = problems(daemon, null);
      assertEquals(problems, found.size(), found.toString());
    }
  }
}
