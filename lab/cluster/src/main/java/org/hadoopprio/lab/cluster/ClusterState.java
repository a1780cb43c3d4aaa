// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopprio.lab.disk.DiskKind;

/** What other processes need to know about a cluster; written as JSON, field by field. */
final class ClusterState {

  /** One daemon. */
  static final class DaemonState {
    String name;
    Role role;
    Map<String, Integer> ports = new TreeMap<>();
    DaemonOptions options;

    int port(String portName) {
      return ports.get(portName);
    }
  }

  /** In the environment and the command line of every process of the cluster. */
  String id;

  DiskKind diskKind;
  int replication;

  /** The keys that the builder was given for every daemon and client. */
  Map<String, String> conf = new TreeMap<>();

  /** How often daemons renew their metrics; 0 for the default of {@link ClusterBuilder}. */
  int metricsPeriodMillis;

  List<DaemonState> daemons = new ArrayList<>();

  /** The names of the disks, each that of its DataNode. */
  List<String> disks = new ArrayList<>();

  /** The only daemon of a role; null where the cluster has none. */
  DaemonState first(Role role) {
    return daemons.stream().filter(daemon -> daemon.role == role).findFirst().orElse(null);
  }

  /** The name of a daemon's {@link MemoryGroup}. */
  String memoryGroup(DaemonState daemon) {
    return id + "-" + daemon.name;
  }

  long count(Role role) {
    return daemons.stream().filter(daemon -> daemon.role == role).count();
  }

  boolean has(Role role) {
    return first(role) != null;
  }
}
