// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.AuditLog;
import org.hadoopprio.policy.PolicyReader;
import org.hadoopprio.role.RolePriorities;

/** The configuration keys of a DataNode's priorities. */
public final class DataNodeKeys {

  /** The most urgent priority a DataNode grants. */
  public static final ConfigKey<IoPriority> HIGHEST =
      new ConfigKey<>(
          "dfs.datanode.io.priority.highest",
          "priority",
          "be:0",
          ConfigKey.Tag.DATANODE,
          true,
          "The most urgent priority that this DataNode grants to users that no rule of"
              + " dfs.datanode.io.priority.policy.file matches. A request for a more urgent"
              + " priority is served at this one and counted as clamped. Real-time reads can"
              + " starve all other reads, so the default does not grant real-time; set rt:0 to"
              + " grant it. Below normal (be:5 to be:7, idle) it also binds requests without a"
              + " priority.",
          IoPriority::parse);

  /** The priorities that a DataNode gives to requests that carry none. */
  public static final ConfigKey<DataNodeRules> RULES =
      new ConfigKey<>(
          "dfs.datanode.io.priority.rules",
          "rules",
          "",
          ConfigKey.Tag.DATANODE,
          true,
          "Priorities of requests that carry none, for example those of clients without the"
              + " agent. Rules are separated by semicolons; the first rule that matches applies."
              + " A rule is one or more conditions client=REGEX, user=REGEX, address=REGEX, then"
              + " => and a priority. Each REGEX (RE2, as in Hadoop's globs: without look-around and"
              + " back-references) must match the whole value, and all conditions of"
              + " a rule must hold. client is the name of the DFSClient (a MapReduce task's"
              + " begins with DFSClient_attempt_), user is the user of the block token (which"
              + " requires dfs.block.access.token.enable), address is the IP address of the peer."
              + " Example: client=DFSClient_attempt_.* => idle.",
          DataNodeRules::parse);

  /** Who may ask a DataNode for what. */
  public static final ConfigKey<AccessPolicy> POLICY_FILE =
      new ConfigKey<>(
          "dfs.datanode.io.priority.policy.file",
          "absolute path",
          "",
          ConfigKey.Tag.DATANODE,
          true,
          "The policy file: who may ask for which priority, and caps (docs/policy.md). The"
              + " user of a request is the one in its block token, so rules for users and groups"
              + " require dfs.block.access.token.enable; without it only rules for user \"*\""
              + " match. dfsadmin -reconfig reads the file again, even if only its content has"
              + " changed. A file that cannot be used is refused as a whole and the policy in"
              + " force stays; if it cannot be used when the DataNode starts, nobody is granted"
              + " more than normal.",
          PolicyReader::forDataNode);

  /** Which grants of a DataNode are logged. */
  public static final ConfigKey<IoPriority> AUDIT =
      AuditLog.key("dfs.datanode.io.priority.audit", ConfigKey.Tag.DATANODE);

  /** How much of a write with a priority may be in the page cache only. */
  public static final ConfigKey<Long> WRITE_BEHIND =
      new ConfigKey<>(
          "dfs.datanode.io.priority.write.behind.bytes",
          "bytes",
          Integer.toString(1 << 20),
          ConfigKey.Tag.DATANODE,
          true,
          "A DataNode writes a block to the page cache, and the kernel writes it to the disk"
              + " later, at no priority. If a write has a priority, the DataNode makes the kernel"
              + " write what there is whenever this many bytes have come (sync_file_range), at"
              + " this priority. While reads want the disk of a volume in mode turns, it writes the"
              + " data of all writes in turns, also without a priority. 65536 to 1073741824, or 0"
              + " to leave all to the kernel.",
          DataNodeKeys::writeBehind);

  /** What the DataNode does of its own accord. */
  public static final ConfigKey<RolePriorities> ROLES =
      new ConfigKey<>(
          "dfs.datanode.io.priority.roles",
          "roles",
          "re-replication=be:7, balancer=be:7, ec-reconstruction=be:7, block-scanner=be:7,"
              + " directory-scanner=be:7, cached-block-load=be:7, disk-balancer=be:7",
          ConfigKey.Tag.DATANODE,
          true,
          "The priorities of what the DataNode reads and writes without a client that asks for"
              + " it: ROLE=PRIORITY, separated by commas. re-replication: sends replicas to other"
              + " DataNodes, or receives them, because some were lost. balancer: replicas that the"
              + " balancer or the mover has moved. ec-reconstruction: computes lost blocks of"
              + " erasure-coded files; this DataNode asks others for their blocks at that priority,"
              + " too. block-scanner and directory-scanner: the regular checks. cached-block-load:"
              + " replicas that cache directives want in memory. disk-balancer: replicas that the"
              + " disk balancer (hdfs diskbalancer) moves between the disks of this DataNode."
              + " Best-effort and idle only: clients"
              + " come first. A role that is not named has no priority; none: no role has one."
              + " In mode turns these reads take turns as those of clients do, with the weight of"
              + " their level, and have the whole disk if nobody else wants it.",
          text -> RolePriorities.parse(text, IoRole.Daemon.DATANODE));

  private DataNodeKeys() {}

  private static long writeBehind(String text) {
    try {
      return text.equals("0") ? 0 : ConfigKey.integer(text, 64 << 10, 1 << 30);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("allowed: 0, or 65536 to 1073741824", e);
    }
  }
}
