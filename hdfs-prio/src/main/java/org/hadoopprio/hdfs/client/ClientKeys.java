// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import org.hadoopprio.IoPriority;
import org.hadoopprio.config.ConfigKey;

/** The configuration keys of an HDFS client. */
public final class ClientKeys {

  /** The priority of a DFSClient's reads. */
  public static final ConfigKey<IoPriority> PRIORITY =
      new ConfigKey<>(
          "dfs.client.io.priority",
          "priority",
          "",
          ConfigKey.Tag.HDFS_CLIENT,
          false,
          "The priority of reads by a DFSClient created with this configuration. A scope of the"
              + " application or the priority of an HBase call goes before it; it goes before"
              + " HADOOP_IO_PRIORITY. A malformed value is ignored and logged at most once a"
              + " minute.",
          IoPriority::parse);

  private ClientKeys() {}
}
