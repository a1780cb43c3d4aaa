// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.client.ClientKeys;
import org.hadoopprio.hdfs.config.HdfsKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ConfigKeyTest {

  @Test
  void everyDefaultCanBeRead() {
    Configuration conf = new Configuration(false);
    for (ConfigKey<?> key : HdfsKeys.all()) {
      assertEquals(key.defaultValue(), key.get(conf), key.name());
    }
    assertNull(ClientKeys.PRIORITY.get(conf));
  }

  @Test
  void everyDefaultOfEveryProfileCanBeReadAndAValueWins() {
    for (Profile profile : Profile.values()) {
      Configuration conf = new Configuration(false);
      conf.set(SchedulerKeys.PROFILE.name(), profile.toString());
      for (ConfigKey<?> key : HdfsKeys.all()) {
        if (key.hasProfiles()) {
          String text = key.defaultText(profile);
          assertEquals(key.parse(text), key.get(conf), key.name());
          assertEquals(text, key.defaultText(conf));
        }
      }
      conf.set(SchedulerKeys.SHARE.name(), "0.11");
      assertEquals(0.11, SchedulerKeys.SHARE.get(conf));
    }
  }

  @Test
  void aProfileThatDoesNotExistIsRefused() {
    Configuration conf = new Configuration(false);
    conf.set(SchedulerKeys.PROFILE.name(), "fast");
    String message =
        assertThrows(IllegalArgumentException.class, () -> SchedulerKeys.SHARE.get(conf))
            .getMessage();
    assertEquals(
        "dfs.datanode.io.priority.profile = \"fast\": allowed: latency-first, balanced,"
            + " throughput-first",
        message);
    assertEquals(
        SchedulerKeys.SHARE.defaultValue(),
        SchedulerKeys.SHARE.getOrDefault(conf, LoggerFactory.getLogger(ConfigKeyTest.class)));
  }

  @Test
  void aValueIsTrimmedAndRead() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.client.io.priority", " idle ");
    assertEquals(IoPriority.IDLE, ClientKeys.PRIORITY.get(conf));
  }

  @Test
  void theMessageNamesKeyValueAndWhatIsAllowed() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.client.io.priority", "turbo");
    String message =
        assertThrows(IllegalArgumentException.class, () -> ClientKeys.PRIORITY.get(conf))
            .getMessage();
    assertTrue(
        message.contains("dfs.client.io.priority")
            && message.contains("turbo")
            && message.contains("rt:0 to rt:7"),
        message);
  }
}
