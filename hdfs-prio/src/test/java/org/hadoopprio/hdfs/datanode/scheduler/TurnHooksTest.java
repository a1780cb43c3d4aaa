// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.metrics.VolumeStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TurnHooksTest {

  @AfterEach
  void switchOn() {
    TurnHooks.setOff(false);
  }

  @Test
  void withoutTheHooksNoVolumeHasTurnsAndItsStatusSaysWhy() {
    Configuration conf = new Configuration(false);
    conf.setInt(SchedulerKeys.STREAMS.name(), 1);
    Volume volume = Volume.of(Path.of("target").toUri(), SchedulerSettings.of(conf));
    assertNotNull(volume.queue());
    TurnHooks.setOff(true);
    assertNull(volume.queue());
    assertEquals(VolumeMode.ORDER, volume.mode());
    VolumeStatus status = volume.status();
    assertEquals("turns", status.getWanted());
    assertEquals("order", status.getMode());
    assertEquals("the agent's module scheduler is off", status.getReason());
  }
}
