// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import org.hadoopprio.IoPriority;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.disktime.Tenant;

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

  /** The tenant for which a DFSClient reads and writes. */
  public static final ConfigKey<String> TENANT =
      new ConfigKey<>(
          "dfs.client.io.tenant",
          "name",
          "",
          ConfigKey.Tag.HDFS_CLIENT,
          false,
          "The tenant for which a DFSClient created with this configuration reads and writes"
              + " (docs/policy.md, Tenants). A DataNode believes it if its policy allows the client"
              + " to name that tenant. What a RegionServer states for a call goes before it; it"
              + " goes before HADOOP_IO_TENANT. A malformed value is ignored and logged at most"
              + " once a minute.",
          Tenant::requireName);

  private ClientKeys() {}
}
