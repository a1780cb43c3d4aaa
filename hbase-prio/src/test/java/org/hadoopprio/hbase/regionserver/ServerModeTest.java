// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerModeTest {

  private final Configuration conf = new Configuration(false);

  @AfterEach
  void on() {
    ServerMode.reload(new Configuration(false));
  }

  @Test
  void theKeySwitchesTheProcessOffAndOnAgain() {
    ServerMode.load(conf);
    conf.set(HBaseKeys.MODE.name(), "off");
    assertNull(ServerMode.reload(conf));
    assertTrue(OffSwitch.isAllOff());
    assertEquals("all modules: hbase.regionserver.io.priority.mode is off", OffSwitch.reason());
    conf.set(HBaseKeys.MODE.name(), "false");
    assertTrue(ServerMode.reload(conf).getMessage().endsWith("the previous mode stays in force"));
    assertTrue(OffSwitch.isAllOff());
    ServerMode.load(new Configuration(false));
    assertTrue(OffSwitch.isAllOff(), "a region opens with an older configuration");
    conf.unset(HBaseKeys.MODE.name());
    assertNull(ServerMode.reload(conf));
    assertFalse(OffSwitch.isAllOff());
  }

  /** Its own decisions go on, and it is not off for the operator. */
  @Test
  void whileItObservesNothingIsStated() {
    conf.set(HBaseKeys.MODE.name(), "observe");
    assertNull(ServerMode.reload(conf));
    assertTrue(OffSwitch.isObserving());
    for (AgentModule stating :
        List.of(
            AgentModule.HDFS_CLIENT,
            AgentModule.LATE_READS,
            AgentModule.REGION_WORK,
            AgentModule.HBASE_CLIENT)) {
      assertTrue(OffSwitch.isOff(stating), stating::toString);
    }
    assertFalse(OffSwitch.isOff(AgentModule.REGIONSERVER));
    assertEquals(0, OffSwitch.modules());
    assertEquals("", OffSwitch.reason());

    OffSwitch.set("test", Set.of(AgentModule.LATE_READS), "a test");
    assertEquals(1, OffSwitch.modules());
    OffSwitch.set("test", Set.of(), "");
    assertTrue(OffSwitch.isOff(AgentModule.LATE_READS), "it observes still");

    conf.set(HBaseKeys.MODE.name(), "on");
    assertNull(ServerMode.reload(conf));
    assertFalse(OffSwitch.isObserving());
    assertFalse(OffSwitch.isOff(AgentModule.HDFS_CLIENT));
  }
}
