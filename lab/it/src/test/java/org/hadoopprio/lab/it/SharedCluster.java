// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.hdfs.datanode.DataNodeKeys;
import org.hadoopprio.lab.cluster.Daemon;
import org.hadoopprio.lab.cluster.LocalCluster;
import org.hadoopprio.lab.cluster.Role;
import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/**
 * One cluster of HDFS, HBase and YARN for several test classes, as its start takes longer than most
 * tests. Its RegionServer has a single handler, so that whatever one operation leaves on it the
 * next one shows. Each class uses tables and files of its own, compares counters with what they
 * were, and leaves the configuration as it was.
 *
 * <p>The cluster stops before a test class starts one of its own, or with this JVM. Not safe for
 * use by several threads.
 */
final class SharedCluster {

  /**
   * A rule for jobs whose clients state no priority; at be:7, to tell their reads from those of
   * jobs that ask for idle.
   */
  private static final String JOB_RULE = "client=DFSClient_attempt_.* => be:7";

  /** Grants every user everything; the keys' limit, be:0, holds where a policy has no rule. */
  private static final String PERMISSIVE_POLICY =
      "<io-priority-policy>\n<rule user='*' highest='rt:0'/>\n</io-priority-policy>\n";

  /** How often its daemons renew their metrics. */
  static final int METRICS_PERIOD_MILLIS = 1_000;

  private static final String YARN_INTERVAL_MS = "200";

  /** How long a connection for blocks is kept; by default 3 s, and 4 s. */
  private static final String KEPT_MILLIS = "120000";

  private static final Path POLICIES = Path.of("target", "it", "policies").toAbsolutePath();
  private static final Path REGIONSERVER_POLICY = POLICIES.resolve("regionserver.xml");
  private static final Path DATANODE_POLICY = POLICIES.resolve("datanode.xml");

  private static final String SCHEDULER_KEY = "hbase.region.server.rpc.scheduler.factory.class";
  private static final String STOCK_SCHEDULER =
      "org.apache.hadoop.hbase.regionserver.SimpleRpcSchedulerFactory";
  private static final String PRIORITY_SCHEDULER =
      "org.hadoopprio.hbase.regionserver.IoPriorityRpcSchedulerFactory";

  private static final String USER = System.getProperty("user.name");

  private static LocalCluster running;
  private static String scheduler;

  private SharedCluster() {}

  /** Runs the classes that use this cluster first, those that change its RegionServer last. */
  public static final class Order implements ClassOrderer {

    private static final List<Class<?>> USERS =
        List.of(
            PolicyIT.class,
            ProveIT.class,
            MonitoringIT.class,
            YcsbBindingIT.class,
            MapReduceIT.class,
            HBaseIT.class,
            GatewaysIT.class,
            RegionServerDoctorIT.class);

    @Override
    public void orderClasses(ClassOrdererContext context) {
      context.getClassDescriptors().sort(Comparator.comparingInt(Order::place));
    }

    private static int place(ClassDescriptor test) {
      int place = USERS.indexOf(test.getTestClass());
      return place < 0 ? USERS.size() : place;
    }
  }

  /** The cluster, with the RPC scheduler of hbase-prio; started where it does not run. */
  static LocalCluster get() throws IOException {
    if (running != null && !running.isRunning()) {
      stop();
    }
    if (running == null) {
      start();
    }
    useScheduler(PRIORITY_SCHEDULER);
    return running;
  }

  /** The same with HBase's own RPC scheduler, which serves all operations on the one handler. */
  static LocalCluster getWithStockScheduler() throws IOException {
    if (running == null || !running.isRunning()) {
      get();
    }
    useScheduler(STOCK_SCHEDULER);
    return running;
  }

  private static void start() throws IOException {
    Files.createDirectories(POLICIES);
    Files.writeString(REGIONSERVER_POLICY, PERMISSIVE_POLICY);
    Files.writeString(DATANODE_POLICY, PERMISSIVE_POLICY);
    scheduler = PRIORITY_SCHEDULER;
    running =
        Clusters.of(SharedCluster.class)
            .dataNodes(1)
            .metricsPeriodMillis(METRICS_PERIOD_MILLIS)
            .conf("hadoop.prometheus.endpoint.enabled", "true")
            // HttpFS acts for its clients.
            .conf("hadoop.proxyuser." + USER + ".hosts", "127.0.0.1")
            .conf("hadoop.proxyuser." + USER + ".users", USER)
            // Who waits for a container or for the end of a job; the defaults are 1 to 5 s.
            .conf("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", YARN_INTERVAL_MS)
            .conf("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", YARN_INTERVAL_MS)
            .conf("mapreduce.client.progressmonitor.pollinterval", YARN_INTERVAL_MS)
            .conf("mapreduce.client.completion.pollinterval", YARN_INTERVAL_MS)
            .configure(
                Role.DATANODE,
                o ->
                    o.conf(DataNodeKeys.HIGHEST.name(), "be:0")
                        // Tests compare what a connection serves one after the other.
                        .conf("dfs.datanode.socket.reuse.keepalive", KEPT_MILLIS)
                        .conf(DataNodeKeys.POLICY_FILE.name(), DATANODE_POLICY.toString())
                        .conf(DataNodeKeys.RULES.name(), JOB_RULE))
            .configure(
                Role.REGIONSERVER,
                o ->
                    o.conf(HBaseKeys.HIGHEST.name(), "be:0")
                        .conf(HBaseKeys.POLICY.name(), REGIONSERVER_POLICY.toString())
                        .conf("dfs.client.socketcache.expiryMsec", KEPT_MILLIS)
                        .conf("hbase.regionserver.handler.count", "1")
                        // A queue of type fifo can leave a call behind until the next one: its
                        // handler looks into the queue, and only then offers itself.
                        .conf("hbase.ipc.server.callqueue.type", "deadline")
                        .conf(SCHEDULER_KEY, scheduler)
                        // Every answer is a large one: all calls are in the slow log.
                        .conf("hbase.ipc.warn.response.size", "1"))
            .start();
  }

  private static void useScheduler(String wanted) throws IOException {
    if (!scheduler.equals(wanted)) {
      running.restart(running.daemon(Role.REGIONSERVER), o -> o.conf(SCHEDULER_KEY, wanted));
      scheduler = wanted;
    }
  }

  /** Stops the cluster if it runs. */
  static void stop() throws IOException {
    if (running != null) {
      LocalCluster stopping = running;
      running = null;
      stopping.stop();
    }
  }

  /** The file that the RegionServer's policy is in. */
  static Path regionServerPolicy() {
    return REGIONSERVER_POLICY;
  }

  /** The file that the DataNode's policy is in. */
  static Path dataNodePolicy() {
    return DATANODE_POLICY;
  }

  /** Gives the RegionServer another policy, as an operator does. */
  static void setRegionServerPolicy(Admin admin, String policy) throws IOException {
    Files.writeString(REGIONSERVER_POLICY, policy);
    admin.updateConfiguration(admin.getRegionServers().iterator().next());
  }

  /** Gives the DataNode another policy, as an operator does. */
  static void setDataNodePolicy(String policy) throws IOException {
    Files.writeString(DATANODE_POLICY, policy);
    Daemon dataNode = running.daemon(Role.DATANODE);
    running.reconfigure(dataNode, o -> {});
  }

  /** Has both grant everything again. */
  static void resetPolicies(Admin admin) throws IOException {
    setRegionServerPolicy(admin, PERMISSIVE_POLICY);
    setDataNodePolicy(PERMISSIVE_POLICY);
  }
}
