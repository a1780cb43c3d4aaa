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
          "The most urgent priority of users that no rule of dfs.datanode.io.priority.policy.file"
              + " matches. A request for more is served at this one and counted as clamped. rt:0"
              + " allows real-time, which can starve all other reads. Below normal (be:5 to be:7,"
              + " idle) it also binds requests without a priority.",
          IoPriority::parse);

  /** The priorities that a DataNode gives to requests that carry none. */
  public static final ConfigKey<DataNodeRules> RULES =
      new ConfigKey<>(
          "dfs.datanode.io.priority.rules",
          "rules",
          "",
          ConfigKey.Tag.DATANODE,
          true,
          "Priorities of requests that carry none, such as those of clients without the agent:"
              + " CONDITIONS => PRIORITY, separated by semicolons. The first rule whose conditions"
              + " all hold applies: client=REGEX, the name of the DFSClient (a MapReduce task's"
              + " begins with DFSClient_attempt_); user=REGEX, of the block token (needs"
              + " dfs.block.access.token.enable); address=REGEX, the peer's IP address. A REGEX"
              + " (RE2: no look-around, no back-references) must match the whole value. Example:"
              + " client=DFSClient_attempt_.* => idle.",
          DataNodeRules::parse);

  /** Who may ask a DataNode for what. */
  public static final ConfigKey<AccessPolicy> POLICY_FILE =
      new ConfigKey<>(
          "dfs.datanode.io.priority.policy.file",
          "absolute path",
          "",
          ConfigKey.Tag.DATANODE,
          true,
          "Who may ask for which priority, and caps (docs/policy.md). Rules for users and groups"
              + " need dfs.block.access.token.enable; without it only rules for user \"*\" match."
              + " dfsadmin -reconfig reads the file again, even if only its content has changed. A"
              + " file that cannot be used is refused as a whole, and the policy in force stays;"
              + " at the DataNode's start, nobody is then granted more than normal.",
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
          "The kernel writes a block from the page cache to the disk later, at no priority. For a"
              + " write with a priority the DataNode has it written whenever this many bytes have"
              + " come (sync_file_range), at this priority. While reads want the disk of a volume"
              + " in mode turns, the data of all writes is written in turns. 65536 to 1073741824,"
              + " or 0 to leave all to the kernel.",
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
          "The priorities of the DataNode's own reads and writes: ROLE=PRIORITY, separated by"
              + " commas; best-effort and idle only. re-replication: sends or receives replicas"
              + " because some were lost. balancer: replicas that balancer or mover have moved."
              + " ec-reconstruction: computes lost blocks of erasure-coded files, and asks others"
              + " for their blocks at that priority. block-scanner, directory-scanner: the regular"
              + " checks. cached-block-load: replicas that cache directives want in memory."
              + " disk-balancer: replicas moved between the disks of this DataNode. A role that is"
              + " not named has no priority; none: no role has one. In mode turns these reads take"
              + " turns by their level's weight, and have the whole disk if nobody else wants it.",
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
