package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import java.util.Locale;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;

/** What the daemons make of the work that they do of their own accord. */
enum OwnWorkSystem {
  /** Nothing has a priority. */
  STOCK(SchedulerMode.OFF, "none", "none"),
  /** The defaults: each role has its priority, and the DataNodes' streams take turns. */
  ROLES(SchedulerMode.TURNS, DataNodeKeys.ROLES.defaultText(), HBaseKeys.ROLES.defaultText());

  private final SchedulerMode mode;
  private final String dataNodeRoles;
  private final String regionServerRoles;

  OwnWorkSystem(SchedulerMode mode, String dataNodeRoles, String regionServerRoles) {
    this.mode = mode;
    this.dataNodeRoles = dataNodeRoles;
    this.regionServerRoles = regionServerRoles;
  }

  /** The other way to read {@link #toString}. */
  static OwnWorkSystem of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** Gives running daemons this configuration; it applies to what begins afterwards. */
  void apply(LocalCluster cluster) throws IOException {
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      cluster.reconfigure(
          dataNode,
          options ->
              options
                  .conf(SchedulerKeys.MODE.name(), mode.toString())
                  .conf(DataNodeKeys.ROLES.name(), dataNodeRoles));
      VolumeMode.of(cluster, dataNode).requireInForce(mode);
    }
    for (Daemon regionServer : cluster.daemons(Role.REGIONSERVER)) {
      cluster.reconfigure(
          regionServer, options -> options.conf(HBaseKeys.ROLES.name(), regionServerRoles));
    }
  }

  /** The value of the factor. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
