// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.ReconfigurationException;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.SwitchedOff;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DataNodeReconfigurationTest {

  /** By key: a valid value, an invalid one, and part of what a refusal says is allowed. */
  private static final Map<String, List<String>> VALUES =
      Map.ofEntries(
          Map.entry("dfs.datanode.io.priority.highest", List.of("rt:0", "rt:8", "rt:0 to rt:7")),
          Map.entry(
              "dfs.datanode.io.priority.rules",
              List.of("user=a => idle", "a", "allowed: one or more of client=REGEX")),
          Map.entry(
              "dfs.datanode.io.priority.policy.file",
              List.of("FILE", "policy.xml", "an absolute path")),
          Map.entry("dfs.datanode.io.priority.audit", List.of("rt:7", "all", "rt:0 to rt:7")),
          Map.entry(
              "dfs.datanode.io.priority.write.behind.bytes",
              List.of("0", "1", "0, or 65536 to 1073741824")),
          Map.entry(
              "dfs.datanode.io.priority.roles",
              List.of("balancer=idle", "flush=idle", "re-replication, balancer")),
          Map.entry(
              "dfs.datanode.io.priority.realtime.share", List.of("0.25", "2", "greater than 0")),
          Map.entry(
              "dfs.datanode.io.priority.scheduler",
              List.of("order,/data/1=off", "fair", "off, observe, order or turns")),
          Map.entry(
              "dfs.datanode.io.priority.scheduler.turn.bytes",
              List.of("65536", "65535", "65536 to 1073741824")),
          Map.entry(
              "dfs.datanode.io.priority.scheduler.turn.ms", List.of("10000", "0", "1 to 10000")),
          Map.entry(
              "dfs.datanode.io.priority.scheduler.weights",
              List.of("1000,1,1,1,1,1,1,1", "8,7,6", "8 numbers from 1 to 1000")),
          Map.entry(
              "dfs.datanode.io.priority.scheduler.idle.share",
              List.of("0.5", "0.0001", "0.001 to 0.5")),
          Map.entry("dfs.datanode.io.priority.scheduler.slow.ms", List.of("0", "-1", "0 to 20000")),
          Map.entry(
              "dfs.datanode.io.priority.scheduler.shortcircuit",
              List.of("false", "maybe", "true or false")));

  private final Configuration conf = new Configuration(false);

  @TempDir private Path directory;

  private static Stream<ConfigKey<?>> reloadable() {
    return HdfsKeys.all().stream().filter(ConfigKey::isReloadable);
  }

  private static Stream<ConfigKey<?>> others() {
    return HdfsKeys.all().stream().filter(key -> !key.isReloadable());
  }

  private String validValue(ConfigKey<?> key) throws IOException {
    String value = VALUES.get(key.name()).get(0);
    return value.equals("FILE")
        ? Files.writeString(directory.resolve("policy.xml"), "<io-priority-policy/>").toString()
        : value;
  }

  @ParameterizedTest
  @MethodSource("reloadable")
  void aReloadableKeyIsListedAndTaken(ConfigKey<?> key) throws IOException {
    assertTrue(DataNodeReconfiguration.withOurKeys(List.of()).contains(key.name()), key.name());
    String value = validValue(key);
    assertEquals(value, DataNodeReconfiguration.change(conf, key.name(), value));
    assertInstanceOf(String.class, DataNodeReconfiguration.change(conf, key.name(), null));
  }

  @ParameterizedTest
  @MethodSource("reloadable")
  void aReloadableKeyIsRefusedWithKeyValueAndWhatIsAllowed(ConfigKey<?> key) {
    List<String> values = VALUES.get(key.name());
    Object outcome = DataNodeReconfiguration.change(conf, key.name(), values.get(1));
    String message =
        assertInstanceOf(ReconfigurationException.class, outcome).getCause().getMessage();
    assertTrue(message.contains(key.name() + " = \"" + values.get(1) + "\""), message);
    assertTrue(message.contains(values.get(2)), message);
  }

  @ParameterizedTest
  @MethodSource("others")
  void aKeyThatNeedsARestartIsNeitherListedNorTaken(ConfigKey<?> key) {
    assertFalse(DataNodeReconfiguration.withOurKeys(List.of()).contains(key.name()), key.name());
    assertNull(DataNodeReconfiguration.change(conf, key.name(), key.defaultText()));
  }

  @Test
  void theDataNodesOwnKeysStayListedAndAreNotTaken() {
    List<Object> expected = new ArrayList<>(List.of("dfs.datanode.data.dir"));
    reloadable().forEach(key -> expected.add(key.name()));
    assertEquals(expected, DataNodeReconfiguration.withOurKeys(List.of("dfs.datanode.data.dir")));
    assertNull(DataNodeReconfiguration.change(conf, "dfs.datanode.data.dir", "/data/1"));
  }

  /** While all others are off it is not, or they could not be left off by their key. */
  @Test
  void ourKeysAreNotThereOnlyWhileTheModuleItselfIsOff() {
    Configuration own = new Configuration(false);
    try (SwitchedOff off = SwitchedOff.all()) {
      assertEquals("off", DataNodeReconfiguration.change(own, SchedulerKeys.MODE.name(), "off"));
    }
    try (SwitchedOff off = SwitchedOff.only(AgentModule.RECONFIGURE)) {
      assertEquals(List.of("stock"), DataNodeReconfiguration.withOurKeys(List.of("stock")));
      assertNull(DataNodeReconfiguration.change(own, SchedulerKeys.MODE.name(), "turns"));
    }
  }
}
