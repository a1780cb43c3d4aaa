// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.datanode.UnstartedDataNode;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerSettingsTest {

  private static final List<ConfigKey<?>> KEYS =
      List.of(
          SchedulerKeys.MODE,
          SchedulerKeys.SHARE,
          SchedulerKeys.TURN_BYTES,
          SchedulerKeys.TURN_MILLIS,
          SchedulerKeys.WEIGHTS,
          SchedulerKeys.IDLE_SHARE,
          SchedulerKeys.SLOW_MILLIS,
          SchedulerKeys.STREAMS);

  private final Configuration conf = new Configuration(false);

  private static ConfigKey<?> key(String suffix) {
    return KEYS.stream()
        .filter(key -> key.name().equals("dfs.datanode.io.priority." + suffix))
        .findFirst()
        .orElseThrow();
  }

  private String reconfigure(ConfigKey<?> key, String value) {
    return SchedulerSettings.reconfigure(conf, key, value);
  }

  /** All that is in force. */
  private static String inForce(SchedulerSettings settings) {
    SchedulerLimits limits = settings.limits();
    StringBuilder weights = new StringBuilder();
    for (int level = 0; level <= IoPriority.LOWEST_LEVEL; level++) {
      weights.append(limits.weight(IoPriority.bestEffort(level))).append(' ');
    }
    return settings.modes()
        + " "
        + settings.streams()
        + " "
        + limits.realtimeShare()
        + " "
        + limits.disk().turnBytes()
        + " "
        + limits.disk().turnNanos()
        + " "
        + limits.disk().idleShare()
        + " "
        + limits.disk().slowNanos()
        + " "
        + weights;
  }

  @Test
  void aChangeIsInForceAtOnceAndNullIsTheDefault() {
    SchedulerSettings settings = SchedulerSettings.of(conf);
    assertEquals("1.0", reconfigure(SchedulerKeys.SHARE, "1"));
    assertEquals(1.0, PriorityMetrics.realtimeShare());
    reconfigure(SchedulerKeys.SHARE, null);
    assertEquals(SchedulerKeys.SHARE.defaultValue(), settings.limits().realtimeShare());
  }

  @Test
  void eachLimitMayBeChangedWhileTheDataNodeRuns() {
    SchedulerSettings settings = SchedulerSettings.of(conf);
    String before = inForce(settings);
    assertEquals("65536", reconfigure(SchedulerKeys.TURN_BYTES, " 65536 "));
    assertEquals(65536, settings.limits().disk().turnBytes());
    assertEquals("10000", reconfigure(SchedulerKeys.TURN_MILLIS, "10000"));
    assertEquals(Tickets.ms(10_000), settings.limits().disk().turnNanos());
    assertEquals("0.001", reconfigure(SchedulerKeys.IDLE_SHARE, "0.001"));
    assertEquals(0.001, settings.limits().disk().idleShare());
    assertEquals("250", reconfigure(SchedulerKeys.SLOW_MILLIS, "250"));
    assertEquals(Tickets.ms(250), settings.limits().disk().slowNanos());
    assertEquals("1000,1,1,1,5,1,1,2", reconfigure(SchedulerKeys.WEIGHTS, "1000, 1,1,1, 5,1,1,2"));
    assertEquals(1000, settings.limits().weight(IoPriority.bestEffort(0)));
    assertEquals(2, settings.limits().weight(IoPriority.bestEffort(7)));
    assertEquals("off", reconfigure(SchedulerKeys.MODE, "off"));
    assertTrue(settings.modes().isOnly(VolumeMode.OFF));
    for (ConfigKey<?> key : KEYS) {
      reconfigure(key, null);
    }
    assertEquals(before, inForce(settings));
  }

  @Test
  void whatWasReadAtTheStartStaysUnlessItIsReloadable() {
    conf.set(SchedulerKeys.STREAMS.name(), "3");
    SchedulerSettings settings = SchedulerSettings.of(conf);
    assertEquals(3, settings.streams());
    assertNull(reconfigure(SchedulerKeys.STREAMS, "4"));
    assertEquals(3, settings.streams());
  }

  @Test
  void aReadWithoutAPriorityWeighsAsMuchAsTheMiddleLevel() {
    SchedulerLimits limits = SchedulerSettings.of(conf).limits();
    double middle = limits.weight(IoPriority.bestEffort(4));
    assertEquals(4, middle);
    assertEquals(middle, limits.weight(null));
    assertEquals(middle, limits.weight(IoPriority.NONE));
    assertEquals(1, limits.weight(IoPriority.IDLE));
  }

  @Test
  void eachDataNodeHasItsOwnSettings() {
    Configuration other = new Configuration(false);
    assertNotSame(SchedulerSettings.of(conf), SchedulerSettings.of(other));
    assertSame(SchedulerSettings.of(conf), SchedulerSettings.of(conf));
    reconfigure(SchedulerKeys.SHARE, "0.25");
    assertEquals(
        SchedulerKeys.SHARE.defaultValue(), SchedulerSettings.of(other).limits().realtimeShare());
  }

  @Test
  void theShareShownIsThatOfADataNodeAndNotOfACopyOfItsConfiguration()
      throws ReflectiveOperationException {
    conf.set(SchedulerKeys.SHARE.name(), "0.25");
    Volumes.dataNodeStarting(UnstartedDataNode.of(conf));
    assertEquals(0.25, PriorityMetrics.realtimeShare());
    reconfigure(SchedulerKeys.SHARE, "0.75");
    SchedulerSettings.of(new Configuration(conf));
    assertEquals(0.75, PriorityMetrics.realtimeShare());
  }

  @Test
  void volumesMayHaveModesOfTheirOwn() {
    conf.set(SchedulerKeys.MODE.name(), "order, /data/9=off ,/data/1=turns");
    SchedulerSettings settings = SchedulerSettings.of(conf);
    assertEquals(VolumeMode.OFF, settings.modes().of(Path.of("/data/9")));
    assertEquals(VolumeMode.TURNS, settings.modes().of(Path.of("/data/1")));
    assertEquals(VolumeMode.ORDER, settings.modes().of(Path.of("/data/2")));
    assertEquals(
        "turns,/data/2=order", reconfigure(SchedulerKeys.MODE, "/data/2/=order"), "turns else");
    assertEquals(VolumeMode.TURNS, settings.modes().of(Path.of("/data/9")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "realtime.share         | a number greater than 0, at most 1.0",
        "scheduler              | off, observe, order or turns",
        "scheduler.turn.bytes   | 65536 to 1073741824",
        "scheduler.turn.ms      | 1 to 10000",
        "scheduler.weights      | 8 numbers from 1 to 1000, separated by commas",
        "scheduler.idle.share   | a number from 0.001 to 0.5",
        "scheduler.streams      | 0 to 1000",
      })
  void aValueThatIsNoneIsRefusedByNameAndTheDefaultIsInForce(String suffix, String allowed) {
    ConfigKey<?> key = key(suffix);
    for (String value : new String[] {"lots", "-1", "1;2", "0x10", "NaN", "99999999999999999999"}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> key.parse(value)).getMessage();
      assertTrue(message.startsWith(key.name() + " = \"" + value + "\": "), message);
      assertTrue(message.contains(allowed), message);
      Configuration malformed = new Configuration(false);
      malformed.set(key.name(), value);
      assertEquals(
          inForce(SchedulerSettings.of(conf)), inForce(SchedulerSettings.of(malformed)), value);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "realtime.share       | 0.25              | 0",
        "realtime.share       | 0.25              | -0.5",
        "realtime.share       | 0.25              | 1.01",
        "realtime.share       | 0.25              | Infinity",
        "realtime.share       | 0.25              | half",
        "realtime.share       | 0.25              | 60%",
        "scheduler            | order             | on",
        "scheduler            | order             | off,turns",
        "scheduler            | order             | data/1=off",
        "scheduler            | order             | /data/1=off,/data/1/=turns",
        "scheduler            | order             | /data/1=",
        "scheduler            | order             | ,",
        "scheduler.turn.bytes | 1048576           | 65535",
        "scheduler.turn.bytes | 1048576           | 1073741825",
        "scheduler.turn.bytes | 1048576           | 16m",
        "scheduler.turn.ms    | 50                | 0",
        "scheduler.turn.ms    | 50                | 10001",
        "scheduler.turn.ms    | 50                | 1.5",
        "scheduler.weights    | 16,8,4,4,4,2,1,1  | 8,7,6,5,4,3,2",
        "scheduler.weights    | 16,8,4,4,4,2,1,1  | 8,7,6,5,4,3,2,1,1",
        "scheduler.weights    | 16,8,4,4,4,2,1,1  | 8,7,6,5,4,3,2,0",
        "scheduler.weights    | 16,8,4,4,4,2,1,1  | 1001,7,6,5,4,3,2,1",
        "scheduler.weights    | 16,8,4,4,4,2,1,1  | 8,7,6,5,4,3,2,",
        "scheduler.weights    | 16,8,4,4,4,2,1,1  | 8 7 6 5 4 3 2 1",
        "scheduler.idle.share | 0.2               | 0",
        "scheduler.idle.share | 0.2               | 0.0009",
        "scheduler.idle.share | 0.2               | 0.51",
        "scheduler.idle.share | 0.2               | NaN",
      })
  void aBadChangeIsRefusedAndTheOldValueStays(String suffix, String good, String bad) {
    ConfigKey<?> key = key(suffix);
    SchedulerSettings settings = SchedulerSettings.of(conf);
    String byDefault = inForce(settings);
    reconfigure(key, good);
    String before = inForce(settings);
    assertTrue(!before.equals(byDefault));
    String message =
        assertThrows(IllegalArgumentException.class, () -> reconfigure(key, bad)).getMessage();
    assertTrue(message.contains(key.name()) && message.contains("\"" + bad + "\""), message);
    assertTrue(message.contains("allowed: "), message);
    assertEquals(before, inForce(settings));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1000"})
  void theNumberOfStreamsHasItsLimits(String value) {
    conf.set(SchedulerKeys.STREAMS.name(), value);
    assertEquals(Integer.parseInt(value), SchedulerSettings.of(conf).streams());
    assertThrows(IllegalArgumentException.class, () -> SchedulerKeys.STREAMS.parse("1001"));
    assertThrows(IllegalArgumentException.class, () -> SchedulerKeys.STREAMS.parse("-1"));
  }

  @Test
  void aKeyOfAnotherPartIsLeftToIt() {
    ConfigKey<String> other =
        new ConfigKey<>("a.key", "text", "", ConfigKey.Tag.DATANODE, true, "", text -> text);
    assertNull(reconfigure(other, "value"));
  }
}
