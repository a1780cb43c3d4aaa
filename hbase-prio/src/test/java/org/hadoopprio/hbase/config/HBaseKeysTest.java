// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.config.ConfigKey;
import org.junit.jupiter.api.Test;

class HBaseKeysTest {

  private final Configuration conf = new Configuration(false);

  @Test
  void defaultsGrantNoRealtimeAndPresetNothing() {
    assertEquals(IoPriority.bestEffort(0), HBaseKeys.HIGHEST.get(conf));
    assertNull(HBaseKeys.DEFAULT.get(conf));
    assertEquals(IoPriority.bestEffort(0), HBaseKeys.ROLES.get(conf).of(IoRole.WAL));
    assertNull(HBaseKeys.REALTIME_HANDLERS.get(conf));
    assertNull(HBaseKeys.REALTIME_QUEUE_LENGTH.get(conf));
  }

  @Test
  void namesAreUniqueAndBelongToTheRegionServer() {
    Set<String> names = new HashSet<>();
    for (ConfigKey<?> key : HBaseKeys.all()) {
      assertTrue(names.add(key.name()), key.name());
      assertTrue(key.name().startsWith("hbase.regionserver.io.priority."), key.name());
      assertEquals(ConfigKey.Tag.REGIONSERVER, key.tag());
    }
    assertEquals(10, names.size());
  }

  @Test
  void numbersOutOfRangeAreRefusedNamingKeyAndRange() {
    conf.set(HBaseKeys.REALTIME_QUEUE_LENGTH.name(), "0");
    conf.set(HBaseKeys.REALTIME_HANDLERS.name(), "few");
    String small =
        assertThrows(
                IllegalArgumentException.class, () -> HBaseKeys.REALTIME_QUEUE_LENGTH.get(conf))
            .getMessage();
    assertTrue(small.contains(HBaseKeys.REALTIME_QUEUE_LENGTH.name()), small);
    assertTrue(small.contains("1 or more"), small);
    String text =
        assertThrows(IllegalArgumentException.class, () -> HBaseKeys.REALTIME_HANDLERS.get(conf))
            .getMessage();
    assertTrue(text.contains("0 or more"), text);
  }

  @Test
  void theModeIsOnOrOff() {
    assertEquals(RegionServerMode.ON, HBaseKeys.MODE.get(conf));
    conf.set(HBaseKeys.MODE.name(), "off");
    assertEquals(RegionServerMode.OFF, HBaseKeys.MODE.get(conf));
    conf.set(HBaseKeys.MODE.name(), "observe");
    assertEquals(RegionServerMode.OBSERVE, HBaseKeys.MODE.get(conf));
    assertTrue(HBaseKeys.MODE.isReloadable());
    conf.set(HBaseKeys.MODE.name(), "false");
    String text =
        assertThrows(IllegalArgumentException.class, () -> HBaseKeys.MODE.get(conf)).getMessage();
    assertTrue(text.endsWith("allowed: on, observe or off"), text);
  }
}
