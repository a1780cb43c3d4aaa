// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** The daemons that read or serve HDFS blocks. */
@SuppressWarnings("ImmutableEnumChecker") // the list comes from List.of
public enum DaemonRole {
  DATANODE(
      "DataNode",
      "dfs.datanode.io.priority",
      "hdfs-env.sh: . /opt/hadoop-prio/conf/hdfs-env.sh",
      "org.apache.hadoop.hdfs.server.datanode.DataNode",
      "org.apache.hadoop.hdfs.server.datanode.SecureDataNodeStarter"),
  REGIONSERVER(
      "RegionServer",
      "hbase.regionserver.io.priority",
      "hbase-env.sh: . /opt/hadoop-prio/conf/hbase-env.sh",
      "org.apache.hadoop.hbase.regionserver.HRegionServer");

  private final String label;
  private final String keys;
  private final String environment;
  private final List<String> mainClasses;

  DaemonRole(String label, String keys, String environment, String... mainClasses) {
    this.label = label;
    this.keys = keys;
    this.environment = environment;
    this.mainClasses = List.of(mainClasses);
  }

  /** The name of the daemon for people. */
  public String label() {
    return label;
  }

  /** The URL of its web pages; the host is 0.0.0.0 where it listens at all addresses. */
  public String url(Configuration site) {
    if (this == DATANODE) {
      return "HTTPS_ONLY".equalsIgnoreCase(site.getTrimmed("dfs.http.policy"))
          ? "https://" + site.getTrimmed("dfs.datanode.https.address", "0.0.0.0:9865")
          : "http://" + site.getTrimmed("dfs.datanode.http.address", "0.0.0.0:9864");
    }
    return (site.getBoolean("hbase.ssl.enabled", false) ? "https://" : "http://")
        + site.getTrimmed("hbase.regionserver.info.bindAddress", "0.0.0.0")
        + ":"
        + site.getTrimmed("hbase.regionserver.info.port", "16030");
  }

  /** Whether its web pages require a Kerberos login. */
  public boolean requiresLogin(Configuration site) {
    String key =
        this == DATANODE ? "hadoop.http.authentication.type" : "hbase.security.authentication.ui";
    return "kerberos".equalsIgnoreCase(site.getTrimmed(key));
  }

  /**
   * The key of the most urgent priority granted to those whom no rule of the policy file matches. A
   * RegionServer's is in hbase-prio, which is not installed on a DataNode.
   */
  public String highestKey() {
    return keys + ".highest";
  }

  /** The key of the policy file. */
  public String policyKey() {
    return keys + ".policy.file";
  }

  /** The file that adds the agent, and the line to put there. */
  public String environment() {
    return environment;
  }

  /** Whether an argument of a command line is its main class. */
  boolean hasMainClass(String argument) {
    return mainClasses.contains(argument);
  }
}
