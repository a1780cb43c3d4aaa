package org.hadoopprio.hdfs.datanode.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.HdfsKeys;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RealtimeShareTest {

  private static final String SHARE = HdfsKeys.DATANODE_REALTIME_SHARE.name();
  private static final String EXCESS = HdfsKeys.DATANODE_REALTIME_EXCESS.name();

  private final Configuration conf = new Configuration(false);

  @Test
  void aChangeIsInForceAtOnceAndNullIsTheDefault() {
    RealtimeShare settings = RealtimeShare.of(conf);
    assertTrue(settings.isOn());
    assertEquals("1.0", RealtimeShare.reconfigure(conf, SHARE, "1"));
    assertFalse(settings.isOn());
    assertEquals(1.0, PriorityMetrics.realtimeShare());
    RealtimeShare.reconfigure(conf, SHARE, null);
    assertEquals(HdfsKeys.DATANODE_REALTIME_SHARE.defaultValue(), settings.share());
    RealtimeShare.reconfigure(conf, EXCESS, "demote");
    assertEquals(RealtimeExcess.DEMOTE, settings.excess());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0.5", "1.01", "NaN", "Infinity", "half", "60%"})
  void whatIsNoShareIsRefusedByNameAndTheOldValueStays(String value) {
    RealtimeShare settings = RealtimeShare.of(conf);
    RealtimeShare.reconfigure(conf, SHARE, "0.25");
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> RealtimeShare.reconfigure(conf, SHARE, value))
            .getMessage();
    assertTrue(message.contains(SHARE) && message.contains(value), message);
    assertTrue(message.contains("greater than 0, at most 1.0"), message);
    assertEquals(0.25, settings.share());
  }

  @Test
  void anUnknownActionIsRefused() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> RealtimeShare.reconfigure(conf, EXCESS, "drop"))
            .getMessage();
    assertTrue(message.contains("pace, demote"), message);
  }

  @Test
  void aMalformedConfigurationIsTheDefault() {
    conf.set(SHARE, "lots");
    assertEquals(HdfsKeys.DATANODE_REALTIME_SHARE.defaultValue(), RealtimeShare.of(conf).share());
  }
}
