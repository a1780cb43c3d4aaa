// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Starts daemons of a cluster and waits until they are ready. */
final class ClusterStart {

  /** The order in which daemons find those that they need. */
  private static final List<Role> ORDER =
      List.of(
          Role.NAMENODE,
          Role.DATANODE,
          Role.ZOOKEEPER,
          Role.RESOURCEMANAGER,
          Role.NODEMANAGER,
          Role.MASTER,
          Role.REGIONSERVER);

  private final LocalCluster cluster;
  private final ClusterState state;
  private final DaemonLauncher launcher;
  private final Progress progress;

  ClusterStart(
      LocalCluster cluster, ClusterState state, DaemonLauncher launcher, Progress progress) {
    this.cluster = cluster;
    this.state = state;
    this.launcher = launcher;
    this.progress = progress;
  }

  /** Starts one daemon, and waits until its part of the cluster is ready. */
  void start(Daemon daemon) throws IOException {
    launcher.start(daemon.state());
    awaitReady(daemon.role());
  }

  /** Starts all daemons of some roles, in an order in which each finds those that it needs. */
  void startAgain(Set<Role> roles) throws IOException {
    for (Role role : ORDER) {
      if (roles.contains(role)) {
        launch(role);
      }
      // HBase soon gives up if HDFS does not answer.
      if (role == Role.DATANODE) {
        awaitReady(role);
      }
    }
    for (Role role : roles) {
      awaitReady(role);
    }
  }

  /** Starts all daemons, as much as possible at the same time. */
  void startAll() throws IOException {
    launch(Role.ZOOKEEPER);
    launcher.format(state.first(Role.NAMENODE));
    launch(Role.NAMENODE);
    launch(Role.DATANODE);
    launch(Role.RESOURCEMANAGER);
    launch(Role.NODEMANAGER);
    awaitReady(Role.NAMENODE);
    // The Master soon gives up if HDFS does not answer, so these come second.
    launch(Role.MASTER);
    launch(Role.REGIONSERVER);
    awaitReady(Role.ZOOKEEPER);
    awaitReady(Role.RESOURCEMANAGER);
    awaitReady(Role.MASTER);
  }

  private void launch(Role role) throws IOException {
    for (Daemon daemon : cluster.daemons(role)) {
      launcher.start(daemon.state());
    }
  }

  /** Waits for the part of the cluster that a role belongs to. */
  private void awaitReady(Role role) throws IOException {
    if (!state.has(role)) {
      return;
    }
    Readiness readiness = new Readiness(progress);
    switch (role) {
      case NAMENODE:
      case DATANODE:
        readiness.awaitHdfs(cluster.daemon(Role.NAMENODE), cluster.daemons(Role.DATANODE));
        break;
      case ZOOKEEPER:
        readiness.awaitZooKeeper(cluster.daemon(Role.ZOOKEEPER));
        break;
      case MASTER:
      case REGIONSERVER:
        readiness.awaitHBase(cluster.daemon(Role.MASTER), cluster.daemons(Role.REGIONSERVER));
        break;
      case RESOURCEMANAGER:
      case NODEMANAGER:
        readiness.awaitYarn(cluster.daemon(Role.RESOURCEMANAGER), cluster.daemon(Role.NODEMANAGER));
        break;
    }
  }

  /** Lets nothing else start. */
  void close() {
    launcher.close();
  }
}
