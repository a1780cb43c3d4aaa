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
  void aMalformedValueCountsAsTheDefault() {
    Configuration conf = new Configuration(false);
    conf.set(SchedulerKeys.SHARE.name(), "fast");
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
