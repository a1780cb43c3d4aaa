// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.mixed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerKeys;
import org.hadoopprio.hdfs.datanode.scheduler.SchedulerMode;
import org.hadoopprio.lab.bench.experiment.Cell;
import org.hadoopprio.lab.cluster.DaemonOptions;
import org.hadoopprio.lab.cluster.Role;
import org.hadoopprio.lab.cluster.ShortCircuit;

/** What the daemons are started with, and the background's clients. */
record Deployment(
    boolean agent,
    Map<String, String> dataNode,
    Map<String, String> regionServer,
    Map<String, String> client,
    int regionServerMb) {
  /**
   * The defaults of stock for what some deployments set, as an option of a daemon cannot be taken
   * back. The keys of hadoop-prio are not among them: stock does not know them, and every
   * deployment with the agent sets all of them.
   */
  private static final Map<Role, Map<String, String>> DEFAULTS =
      Map.of(
          Role.DATANODE,
          Map.of(ShortCircuit.KEY, "false"),
          Role.REGIONSERVER,
          Map.of(ShortCircuit.KEY, "false"));

  private static final int NO_LIMIT_MB = 0;

  /**
   * A RegionServer's heap, what two JVMs need beside it, and some hundred MiB of page cache: the
   * limit of a RegionServer that reads the disk, together with the clients that do (see {@link
   * SharedMemory}).
   */
  private static final int LOCAL_MB = 1280;

  /** Nothing of hadoop-prio. */
  static final Deployment STOCK = new Deployment(false, Map.of(), Map.of(), Map.of(), NO_LIMIT_MB);

  Deployment {
    dataNode = new TreeMap<>(dataNode);
    regionServer = new TreeMap<>(regionServer);
    client = new TreeMap<>(client);
  }

  /** What a cell needs. */
  static Deployment of(Cell cell) {
    switch (MixedPlan.system(cell)) {
      case STOCK_LOCAL, IONICE_LOCAL, IONICE_LOCAL_BFQ, BOUND_LOCAL -> {
        return STOCK.withShortCircuit();
      }
      case ORDER_HOST, ORDER_FULL -> {
        return prioritised(SchedulerMode.ORDER);
      }
      case HOST, WITHIN_50MS, WITHIN_100MS, WITHIN_200MS, LEVELS, FULL, NO_GETS -> {
        return prioritised(SchedulerMode.TURNS);
      }
      case HOST_LOCAL, FULL_LOCAL -> {
        return prioritised(SchedulerMode.TURNS).withShortCircuit();
      }
      case STOCK, STOCK_BFQ, THROTTLE, BOUND -> {
        return STOCK;
      }
      default -> throw new IllegalArgumentException(cell.id() + " has no deployment");
    }
  }

  private static Deployment prioritised(SchedulerMode scheduler) {
    Map<String, String> dataNode = Map.of(SchedulerKeys.MODE.name(), scheduler.toString());
    return new Deployment(true, dataNode, Map.of(), Map.of(), NO_LIMIT_MB);
  }

  /** The same, with RegionServer and clients that read the local disk themselves. */
  private Deployment withShortCircuit() {
    return new Deployment(
        agent,
        with(dataNode, ShortCircuit.conf()),
        with(regionServer, ShortCircuit.regionServerConf()),
        with(client, ShortCircuit.conf()),
        LOCAL_MB);
  }

  private static Map<String, String> with(Map<String, String> conf, Map<String, String> more) {
    Map<String, String> all = new TreeMap<>(conf);
    all.putAll(more);
    return all;
  }

  boolean hasAgent() {
    return agent;
  }

  /** Whether daemons must be started again if they run with another deployment. */
  boolean needsRestartAfter(Deployment other) {
    return agent != other.agent
        || !fixed(dataNode).equals(fixed(other.dataNode))
        || !regionServer.equals(other.regionServer)
        || !client.equals(other.client)
        || regionServerMb != other.regionServerMb;
  }

  /** What a DataNode cannot change while it runs. */
  private static Map<String, String> fixed(Map<String, String> dataNode) {
    Map<String, String> fixed = new TreeMap<>(dataNode);
    fixed.remove(SchedulerKeys.MODE.name());
    return fixed;
  }

  /**
   * Makes a daemon's options those of this deployment.
   *
   * @param limits whether memory can be limited
   */
  void apply(Role role, DaemonOptions options, boolean limits) {
    options.agent(agent);
    if (role == Role.REGIONSERVER) {
      options.memoryMb(limits ? regionServerMb : NO_LIMIT_MB);
    }
    DEFAULTS.getOrDefault(role, Map.of()).forEach(options::conf);
    conf(role).forEach(options::conf);
  }

  /** What a daemon's configuration has beyond stock's. */
  Map<String, String> conf(Role role) {
    return role == Role.DATANODE ? dataNode : role == Role.REGIONSERVER ? regionServer : Map.of();
  }

  /** What the configuration of the background's clients has beyond stock's: generic options. */
  List<String> clientOptions() {
    List<String> options = new ArrayList<>();
    client.forEach((key, value) -> Collections.addAll(options, "-D", key + "=" + value));
    return options;
  }

  /** For people. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>(List.of(agent ? "hadoop-prio" : "stock"));
    add(parts, Role.DATANODE.label(), dataNode);
    add(parts, Role.REGIONSERVER.label(), regionServer);
    add(parts, "clients", client);
    if (regionServerMb != NO_LIMIT_MB) {
      parts.add("regionserver and clients in " + regionServerMb + " MiB, where there are limits");
    }
    return String.join("; ", parts);
  }

  private static void add(List<String> parts, String where, Map<String, String> conf) {
    if (!conf.isEmpty()) {
      List<String> settings = new ArrayList<>();
      conf.forEach((key, value) -> settings.add(key + " = " + value));
      parts.add(where + ": " + String.join(", ", settings));
    }
  }
}
