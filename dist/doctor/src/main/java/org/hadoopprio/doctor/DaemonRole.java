package org.hadoopprio.doctor;

import java.util.List;

/** The daemons that read or serve HDFS blocks. */
@SuppressWarnings("ImmutableEnumChecker") // the list comes from List.of
enum DaemonRole {
  DATANODE(
      "DataNode",
      "dfs.datanode.http.address",
      "0.0.0.0:9864",
      "dfs.datanode.io.priority",
      "hdfs-env.sh: . /opt/hadoop-prio/conf/hdfs-env.sh",
      "org.apache.hadoop.hdfs.server.datanode.DataNode",
      "org.apache.hadoop.hdfs.server.datanode.SecureDataNodeStarter"),
  REGIONSERVER(
      "RegionServer",
      "",
      "0.0.0.0:16030",
      "hbase.regionserver.io.priority",
      "hbase-env.sh: . /opt/hadoop-prio/conf/hbase-env.sh",
      "org.apache.hadoop.hbase.regionserver.HRegionServer");

  private final String label;
  private final String httpKey;
  private final String httpDefault;
  private final String keys;
  private final String environment;
  private final List<String> mainClasses;

  DaemonRole(
      String label,
      String httpKey,
      String httpDefault,
      String keys,
      String environment,
      String... mainClasses) {
    this.label = label;
    this.httpKey = httpKey;
    this.httpDefault = httpDefault;
    this.keys = keys;
    this.environment = environment;
    this.mainClasses = List.of(mainClasses);
  }

  /** The name of the daemon for people. */
  String label() {
    return label;
  }

  /** The key of its HTTP address; empty if host and port have separate keys. */
  String httpKey() {
    return httpKey;
  }

  /** Its default HTTP address. */
  String httpDefault() {
    return httpDefault;
  }

  /**
   * The key of the most urgent priority granted to those whom no rule of the policy file matches. A
   * RegionServer's is in hbase-prio, which is not installed on a DataNode.
   */
  String highestKey() {
    return keys + ".highest";
  }

  /** The key of the policy file. */
  String policyKey() {
    return keys + ".policy.file";
  }

  /** The file that adds the agent, and the line to put there. */
  String environment() {
    return environment;
  }

  /** Whether an argument of a command line is its main class. */
  boolean hasMainClass(String argument) {
    return mainClasses.contains(argument);
  }
}
