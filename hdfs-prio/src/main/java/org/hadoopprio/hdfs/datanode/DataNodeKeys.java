package org.hadoopprio.hdfs.datanode;

import org.hadoopprio.IoPriority;
import org.hadoopprio.config.ConfigKey;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.PolicyReader;

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
              + " grant it.",
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
              + " => and a priority. Each REGEX must match the whole value, and all conditions of"
              + " a rule must hold. client is the name of the DFSClient (a MapReduce task's"
              + " begins with DFSClient_attempt_), user is the user of the block token (which"
              + " requires dfs.block.access.token.enable), address is the IP address of the peer."
              + " Example: client=DFSClient_attempt_.* => idle. What idle and the levels mean on a"
              + " volume depends on dfs.datanode.io.priority.scheduler. In mode turns idle streams"
              + " together get a small share of the disk's time while others wait, and best-effort"
              + " levels are weights of streams. In mode order an idle read waits while the kernel's"
              + " scheduler has requests of any other class, with mq-deadline for up to"
              + " prio_aging_expire (10 s by default), and levels take effect with the BFQ"
              + " scheduler only.",
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
              + " more than be:0.",
          PolicyReader::forDataNode);

  private DataNodeKeys() {}
}
