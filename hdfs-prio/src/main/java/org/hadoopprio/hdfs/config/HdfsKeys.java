// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.config;

import java.util.List;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.hdfs.client.ClientKeys;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.datanode.engine.EngineKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;

/**
 * The catalogue of the HDFS part's configuration keys. Each part declares its keys beside the code
 * that reads them.
 */
public final class HdfsKeys {

  private HdfsKeys() {}

  /** All keys, in the order of the reference. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        ClientKeys.PRIORITY,
        ClientKeys.TENANT,
        DataNodeKeys.HIGHEST,
        DataNodeKeys.RULES,
        DataNodeKeys.POLICY_FILE,
        DataNodeKeys.AUDIT,
        DataNodeKeys.WRITE_BEHIND,
        DataNodeKeys.ROLES,
        SchedulerKeys.MODE,
        SchedulerKeys.SHARE,
        SchedulerKeys.TURN_BYTES,
        SchedulerKeys.TURN_MILLIS,
        SchedulerKeys.WEIGHTS,
        SchedulerKeys.IDLE_SHARE,
        SchedulerKeys.STREAMS,
        SchedulerKeys.LOCAL,
        EngineKeys.ENGINE,
        EngineKeys.DURATION_LIMITS,
        EngineKeys.LIBRARY,
        EngineKeys.NCQ_HELPER);
  }
}
