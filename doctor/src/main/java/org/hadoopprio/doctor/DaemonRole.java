package org.hadoopprio.doctor;

import java.util.List;

/** The daemons that read or serve HDFS blocks. */
@SuppressWarnings("ImmutableEnumChecker") // the list comes from List.of
enum DaemonRole {
  DATANODE(
      "DataNode",
      "dfs.datanode.http.address",
      "0.0.0.0:9864",
      "hdfs-env.sh: . /opt/hadoop-prio/conf/hdfs-env.sh",
      "org.apache.hadoop.hdfs.server.datanode.DataNode",
      "org.apache.hadoop.hdfs.server.datanode.SecureDataNodeStarter"),
  REGIONSERVER(
      "RegionServer",
      "",
      "0.0.0.0:16030",
      "hbase-env.sh: . /opt/hadoop-prio/conf/hbase-env.sh",
      "org.apache.hadoop.hbase.regionserver.HRegionServer");

  private final String label;
  private final String httpKey;
  private final String httpDefault;
  private final String environment;
  private final List<String> mainClasses;

  DaemonRole(
      String label, String httpKey, String httpDefault, String environment, String... mainClasses) {
    this.label = label;
    this.httpKey = httpKey;
    this.httpDefault = httpDefault;
    this.environment = environment;
    this.mainClasses = List.of(mainClasses);
  }

  /** What people call it. */
  String label() {
    return label;
  }

  /** The key of its HTTP address; empty where host and port have a key each. */
  String httpKey() {
    return httpKey;
  }

  /** Its HTTP address where nothing else is configured. */
  String httpDefault() {
    return httpDefault;
  }

  /** The file that gives it the agent, and the line to add. */
  String environment() {
    return environment;
  }

  /** Whether a command line's argument is its main class. */
  boolean hasMainClass(String argument) {
    return mainClasses.contains(argument);
  }
}
