package org.hadoopprio.hdfs.datanode.share;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.metrics.PriorityMetrics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RealtimeShareTest {

  private static final String SHARE = ShareKeys.SHARE.name();

  private final Configuration conf = new Configuration(false);

  @Test
  void aChangeIsInForceAtOnceAndNullIsTheDefault() {
    RealtimeShare settings = RealtimeShare.of(conf);
    assertTrue(settings.isOn());
    assertEquals("1.0", RealtimeShare.reconfigure(conf, ShareKeys.SHARE, "1"));
    assertFalse(settings.isOn());
    assertEquals(1.0, PriorityMetrics.realtimeShare());
    RealtimeShare.reconfigure(conf, ShareKeys.SHARE, null);
    assertEquals(ShareKeys.SHARE.defaultValue(), settings.share());
    RealtimeShare.reconfigure(conf, ShareKeys.EXCESS, "demote");
    assertEquals(RealtimeExcess.DEMOTE, settings.excess());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-0.5", "1.01", "NaN", "Infinity", "half", "60%"})
  void whatIsNoShareIsRefusedByNameAndTheOldValueStays(String value) {
    RealtimeShare settings = RealtimeShare.of(conf);
    RealtimeShare.reconfigure(conf, ShareKeys.SHARE, "0.25");
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> RealtimeShare.reconfigure(conf, ShareKeys.SHARE, value))
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
                () -> RealtimeShare.reconfigure(conf, ShareKeys.EXCESS, "drop"))
            .getMessage();
    assertTrue(message.contains("pace, demote"), message);
  }

  @Test
  void aMalformedConfigurationIsTheDefault() {
    conf.set(SHARE, "lots");
    assertEquals(ShareKeys.SHARE.defaultValue(), RealtimeShare.of(conf).share());
  }
}
