// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.config;

import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;

/** Keys that earlier versions read and this one does not. Thread-safe. */
public final class RemovedKeys {

  /** Of a DataNode: a named set of defaults. */
  public static final String DATANODE_PROFILE = "dfs.datanode.io.priority.profile";

  /** Of a RegionServer: the same. */
  public static final String REGIONSERVER_PROFILE = "hbase.regionserver.io.priority.profile";

  private RemovedKeys() {}

  /** Warns if a configuration still has a profile, which changes nothing any more. */
  public static void warnOfProfile(Configuration conf, String key, Logger log) {
    String value = conf.getTrimmed(key, "");
    if (!value.isEmpty()) {
      log.warn(
          "{} = \"{}\": there are no profiles any more and this key has no effect; each key that is"
              + " not set has its default. Allowed: nothing, remove it",
          key,
          value);
    }
  }
}
