// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.bed.TriedSystem;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;

/** What the daemons make of the work that they do of their own accord. */
public enum OwnWorkSystem implements TriedSystem {
  /** Nothing has a priority. */
  STOCK(SchedulerMode.OFF, "none"),
  /** Each role has its priority, and the DataNodes' streams take turns. */
  DEFAULTS(SchedulerMode.TURNS, "");

  private final SchedulerMode mode;
  private final String roles;

  OwnWorkSystem(SchedulerMode mode, String roles) {
    this.mode = mode;
    this.roles = roles;
  }

  @Override
  public SchedulerMode mode() {
    return mode;
  }

  @Override
  public void apply(LocalCluster cluster) throws IOException {
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      cluster.reconfigure(dataNode, o -> o.conf(DataNodeKeys.ROLES.name(), roles));
    }
    VolumeMode.set(cluster, mode);
    for (Daemon regionServer : cluster.daemons(Role.REGIONSERVER)) {
      cluster.reconfigure(regionServer, o -> o.conf(HBaseKeys.ROLES.name(), roles));
    }
  }
}
