// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import org.hadoopprio.config.Profile;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.bed.TriedSystem;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;

/** What the daemons make of the work that they do of their own accord. */
public enum OwnWorkSystem implements TriedSystem {
  /** Nothing has a priority. */
  STOCK(SchedulerMode.OFF, Profile.BALANCED, "none"),
  /** The defaults: each role has its priority, and the DataNodes' streams take turns. */
  BALANCED(Profile.BALANCED),
  /** The same in another profile. */
  LATENCY_FIRST(Profile.LATENCY_FIRST),
  /** The same in another profile. */
  THROUGHPUT_FIRST(Profile.THROUGHPUT_FIRST);

  private static final String FOLLOW_THE_PROFILE = "";

  private final SchedulerMode mode;
  private final Profile profile;
  private final String roles;

  OwnWorkSystem(SchedulerMode mode, Profile profile, String roles) {
    this.mode = mode;
    this.profile = profile;
    this.roles = roles;
  }

  OwnWorkSystem(Profile profile) {
    this(SchedulerMode.TURNS, profile, FOLLOW_THE_PROFILE);
  }

  @Override
  public SchedulerMode mode() {
    return mode;
  }

  @Override
  public void apply(LocalCluster cluster) throws IOException {
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      cluster.reconfigure(
          dataNode,
          o ->
              o.conf(SchedulerKeys.PROFILE.name(), profile.toString())
                  .conf(DataNodeKeys.ROLES.name(), roles));
    }
    VolumeMode.set(cluster, mode);
    for (Daemon regionServer : cluster.daemons(Role.REGIONSERVER)) {
      cluster.reconfigure(
          regionServer,
          o ->
              o.conf(HBaseKeys.PROFILE.name(), profile.toString())
                  .conf(HBaseKeys.ROLES.name(), roles));
    }
  }
}
