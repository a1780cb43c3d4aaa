package org.hadoopprio.lab.bench.mixed;

import java.util.Objects;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.cluster.DaemonOptions;
import org.hadoopprio.lab.cluster.Role;

/** What the daemons are started with; a change needs a restart. Immutable. */
final class Deployment {

  /** Nothing of hadoop-prio. */
  static final Deployment STOCK = new Deployment(false, "");

  /** All of the disk's time: real-time reads are not held back. */
  private static final String NO_LIMIT = "1.0";

  private final boolean agent;
  private final String realtimeShare;

  private Deployment(boolean agent, String realtimeShare) {
    this.agent = agent;
    this.realtimeShare = realtimeShare;
  }

  /**
   * What a cell needs. Closed loops have no limit for real-time reads, as in the paper; the open
   * loop has the default.
   */
  static Deployment of(Cell cell) {
    if (!MixedPlan.system(cell).prioritised()) {
      return STOCK;
    }
    String byDefault = SchedulerKeys.SHARE.defaultText();
    return new Deployment(true, MixedPlan.load(cell).isOpen() ? byDefault : NO_LIMIT);
  }

  boolean hasAgent() {
    return agent;
  }

  /** Makes a daemon's options those of this deployment. */
  void apply(Role role, DaemonOptions options) {
    options.agent(agent);
    if (role == Role.DATANODE && agent) {
      options.conf(SchedulerKeys.SHARE.name(), realtimeShare);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Deployment
        && ((Deployment) other).agent == agent
        && ((Deployment) other).realtimeShare.equals(realtimeShare);
  }

  @Override
  public int hashCode() {
    return Objects.hash(agent, realtimeShare);
  }

  /** For people. */
  @Override
  public String toString() {
    return agent ? "hadoop-prio, " + SchedulerKeys.SHARE.name() + " = " + realtimeShare : "stock";
  }
}
