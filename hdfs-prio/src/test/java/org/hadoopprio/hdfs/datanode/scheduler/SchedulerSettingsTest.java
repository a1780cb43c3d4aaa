package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchedulerSettingsTest {

  private static final String SHARE = SchedulerKeys.SHARE.name();

  private final Configuration conf = new Configuration(false);

  @Test
  void aChangeIsInForceAtOnceAndNullIsTheDefault() {
    SchedulerSettings settings = SchedulerSettings.of(conf);
    assertEquals("1.0", SchedulerSettings.reconfigure(conf, SchedulerKeys.SHARE, "1"));
    assertEquals(1.0, PriorityMetrics.realtimeShare());
    SchedulerSettings.reconfigure(conf, SchedulerKeys.SHARE, null);
    assertEquals(SchedulerKeys.SHARE.defaultValue(), settings.limits().realtimeShare());
    SchedulerSettings.reconfigure(conf, SchedulerKeys.EXCESS, "demote");
    assertEquals(RealtimeExcess.DEMOTE, settings.excess());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0.5", "1.01", "NaN", "Infinity", "half", "60%"})
  void whatIsNoShareIsRefusedByNameAndTheOldValueStays(String value) {
    SchedulerSettings settings = SchedulerSettings.of(conf);
    SchedulerSettings.reconfigure(conf, SchedulerKeys.SHARE, "0.25");
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> SchedulerSettings.reconfigure(conf, SchedulerKeys.SHARE, value))
            .getMessage();
    assertTrue(message.contains(SHARE) && message.contains(value), message);
    assertTrue(message.contains("greater than 0, at most 1.0"), message);
    assertEquals(0.25, settings.limits().realtimeShare());
  }

  @Test
  void anUnknownActionIsRefused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> SchedulerSettings.reconfigure(conf, SchedulerKeys.EXCESS, "drop"))
            .getMessage();
    assertTrue(message.contains("pace, demote"), message);
  }

  @Test
  void aMalformedConfigurationIsTheDefault() {
    conf.set(SHARE, "lots");
    assertEquals(
        SchedulerKeys.SHARE.defaultValue(), SchedulerSettings.of(conf).limits().realtimeShare());
  }
}
