// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.ownwork;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.config.Profile;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.VolumeMode;

/** What the daemons make of the work that they do of their own accord. */
public enum OwnWorkSystem {
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

  /** The pair that is measured if nothing else is asked for. */
  public static Set<OwnWorkSystem> byDefault() {
    return EnumSet.of(STOCK, BALANCED);
  }

  /**
   * The systems of these names; {@code all} is all of them.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  public static Set<OwnWorkSystem> named(List<String> names) {
    EnumSet<OwnWorkSystem> systems = EnumSet.noneOf(OwnWorkSystem.class);
    for (String name : names) {
      systems.addAll(name.equals("all") ? EnumSet.allOf(OwnWorkSystem.class) : Set.of(of(name)));
    }
    return systems;
  }

  /** The other way to read {@link #toString}. */
  static OwnWorkSystem of(String name) {
    return Arrays.stream(values())
        .filter(system -> system.toString().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no system "
                        + name
                        + "; allowed: "
                        + Arrays.stream(values())
                            .map(OwnWorkSystem::toString)
                            .collect(Collectors.joining(", "))
                        + ", all"));
  }

  boolean hasPriorities() {
    return this != STOCK;
  }

  /** Gives running daemons this configuration; it applies to what begins afterwards. */
  void apply(LocalCluster cluster) throws IOException {
    for (Daemon dataNode : cluster.daemons(Role.DATANODE)) {
      cluster.reconfigure(
          dataNode,
          options ->
              options
                  .conf(SchedulerKeys.MODE.name(), mode.toString())
                  .conf(SchedulerKeys.PROFILE.name(), profile.toString())
                  .conf(DataNodeKeys.ROLES.name(), roles));
      VolumeMode.of(cluster, dataNode).requireInForce(mode);
    }
    for (Daemon regionServer : cluster.daemons(Role.REGIONSERVER)) {
      cluster.reconfigure(
          regionServer,
          options ->
              options
                  .conf(HBaseKeys.PROFILE.name(), profile.toString())
                  .conf(HBaseKeys.ROLES.name(), roles));
    }
  }

  /** The value of the factor. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
