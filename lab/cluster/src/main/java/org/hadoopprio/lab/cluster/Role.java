// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.util.List;
import java.util.Locale;

/** The kinds of daemon a cluster is made of. */
@SuppressWarnings("ImmutableEnumChecker") // the lists come from List.of
public enum Role {
  NAMENODE("org.apache.hadoop.hdfs.server.namenode.NameNode", 192, List.of(), "rpc", "http"),
  DATANODE(
      "org.apache.hadoop.hdfs.server.datanode.DataNode", 160, List.of(), "data", "ipc", "http"),
  ZOOKEEPER("org.apache.hadoop.hbase.zookeeper.HQuorumPeer", 64, List.of("start"), "client"),
  MASTER("org.apache.hadoop.hbase.master.HMaster", 256, List.of("start"), "rpc", "http"),
  REGIONSERVER(
      "org.apache.hadoop.hbase.regionserver.HRegionServer", 512, List.of("start"), "rpc", "http"),
  RESOURCEMANAGER(
      "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager",
      192,
      List.of(),
      "rpc",
      "scheduler",
      "tracker",
      "admin",
      "http"),
  NODEMANAGER(
      "org.apache.hadoop.yarn.server.nodemanager.NodeManager",
      192,
      List.of(),
      "rpc",
      "localizer",
      "shuffle",
      "http");

  private final String mainClass;
  private final int heapMb;
  private final List<String> arguments;
  private final List<String> portNames;

  Role(String mainClass, int heapMb, List<String> arguments, String... portNames) {
    this.mainClass = mainClass;
    this.heapMb = heapMb;
    this.arguments = arguments;
    this.portNames = List.of(portNames);
  }

  String mainClass() {
    return mainClass;
  }

  /** The heap a daemon of this role has when nothing else is asked for, in MiB. */
  public int defaultHeapMb() {
    return heapMb;
  }

  List<String> arguments() {
    return arguments;
  }

  /** The names of the ports a daemon of this role listens on. */
  public List<String> portNames() {
    return portNames;
  }

  /** Whether HBase's code runs in it. */
  boolean isHBase() {
    return this == ZOOKEEPER || this == MASTER || this == REGIONSERVER;
  }

  /** Whether the agent belongs in it: it reads or serves HDFS blocks. */
  boolean usesAgent() {
    return this == DATANODE || this == MASTER || this == REGIONSERVER;
  }

  /** The site file a daemon of this role reads last, so that what stands there holds. */
  SiteFile ownSiteFile() {
    if (isHBase()) {
      return SiteFile.HBASE;
    }
    return this == NAMENODE || this == DATANODE ? SiteFile.HDFS : SiteFile.YARN;
  }

  /** The role's name, and that of its daemon where it has only one: {@code regionserver}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
