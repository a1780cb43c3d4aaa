package org.hadoopprio.config;

import java.util.List;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hdfs.datanode.DataNodeRules;
import org.hadoopprio.hdfs.datanode.engine.EngineChoice;
import org.hadoopprio.hdfs.datanode.engine.EngineSettings;
import org.hadoopprio.hdfs.datanode.share.RealtimeExcess;
import org.hadoopprio.hdfs.datanode.share.RealtimeShare;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.PolicyReader;

/** The configuration keys of the HDFS part. */
public final class HdfsKeys {

  /** The priority of a DFSClient's reads. */
  public static final ConfigKey<IoPriority> CLIENT_PRIORITY =
      new ConfigKey<>(
          "dfs.client.io.priority",
          "priority",
          "",
          ConfigKey.Tag.HDFS_CLIENT,
          false,
          "Priority of the reads of a DFSClient made with this configuration, where neither a scope"
              + " nor the work's own context (an HBase call) states one. Stronger than the"
              + " environment variable HADOOP_IO_PRIORITY. Malformed: not used, logged at most once"
              + " a minute.",
          IoPriority::parse);

  /** The most urgent priority a DataNode grants. */
  public static final ConfigKey<IoPriority> DATANODE_HIGHEST =
      new ConfigKey<>(
          "dfs.datanode.io.priority.highest",
          "priority",
          "be:0",
          ConfigKey.Tag.DATANODE,
          true,
          "The most urgent priority this DataNode grants to whom no rule of"
              + " dfs.datanode.io.priority.policy.file is for; a request for more is served at this"
              + " one and counted as clamped. The default keeps real-time, which can starve every other"
              + " reader, until an operator allows it with rt:0.",
          IoPriority::parse);

  /** What a DataNode gives to requests that state no priority. */
  public static final ConfigKey<DataNodeRules> DATANODE_RULES =
      new ConfigKey<>(
          "dfs.datanode.io.priority.rules",
          "rules",
          "",
          ConfigKey.Tag.DATANODE,
          true,
          "Priorities of requests that carry none, so that clients without the agent can be"
              + " classed. Rules are separated by semicolons, the first that matches wins. A rule is"
              + " one or more conditions client=REGEX, user=REGEX, address=REGEX (whole match; all"
              + " must hold), then => and a priority. client is the DFSClient's name (a MapReduce"
              + " task's begins with DFSClient_attempt_), user is the block token's (so it needs"
              + " dfs.block.access.token.enable), address is the peer's IP address. Example:"
              + " client=DFSClient_attempt_.* => be:7",
          DataNodeRules::parse);

  /** Who may ask a DataNode for what. */
  public static final ConfigKey<AccessPolicy> DATANODE_POLICY =
      new ConfigKey<>(
          "dfs.datanode.io.priority.policy.file",
          "absolute path",
          "",
          ConfigKey.Tag.DATANODE,
          true,
          "The policy: who may ask for which priority, and caps (docs/policy.md). A user is the"
              + " block token's, so rules for users and groups need dfs.block.access.token.enable;"
              + " without it every request is one of user \"*\". dfsadmin -reconfig reads the file"
              + " anew, also where only its content has changed. A file that cannot be used is"
              + " refused as a whole and the policy before it stays; at the start of a DataNode"
              + " nobody has more than be:0 then.",
          PolicyReader::forDataNode);

  /** How much of a volume's disk time real-time reads may use while others wait. */
  public static final ConfigKey<Double> DATANODE_REALTIME_SHARE =
      new ConfigKey<>(
          "dfs.datanode.io.priority.realtime.share",
          "number",
          "0.5",
          ConfigKey.Tag.DATANODE,
          true,
          "The share of a volume's disk time that real-time reads may use while other reads of that"
              + " volume wait; greater than 0, at most 1.0. Without it mq-deadline holds all others"
              + " back as long as one real-time request is outstanding, which a few readers that"
              + " never pause make always. Nothing is limited while no other read waits; a burst of"
              + " 100 ms of disk time is free. 1.0 switches the limit off. With the default, 1 to 16"
              + " such readers beside 16 scans, on a virtual disk that knows priorities, leave the"
              + " scans about a quarter or more of the throughput they have without priorities; the"
              + " 95th percentile of the real-time reads is about twice that of theirs alone or less"
              + " (docs/starvation.md).",
          RealtimeShare::parse);

  /** What becomes of real-time reads above that share. */
  public static final ConfigKey<RealtimeExcess> DATANODE_REALTIME_EXCESS =
      new ConfigKey<>(
          "dfs.datanode.io.priority.realtime.excess",
          "pace or demote",
          "pace",
          ConfigKey.Tag.DATANODE,
          true,
          "What becomes of real-time reads above dfs.datanode.io.priority.realtime.share. pace: they"
              + " wait together, mostly for some milliseconds and never longer than 500 ms. demote:"
              + " they are done at be:0. Pacing is the default because it delays many reads a"
              + " little; a demoted read waits behind everything the others have asked for.",
          RealtimeExcess::parse);

  /** The engine of each volume. */
  public static final ConfigKey<EngineChoice> DATANODE_ENGINE =
      new ConfigKey<>(
          "dfs.datanode.io.priority.engine",
          "engines",
          "thread",
          ConfigKey.Tag.DATANODE,
          false,
          "How real-time reads of finalized blocks are done: auto, thread, direct or ncq for all"
              + " volumes, DIRECTORY=ENGINE for one, separated by commas. thread: stock HDFS on a"
              + " thread with the priority. direct: O_DIRECT through io_uring, each request with the"
              + " priority; not cached. ncq: commands to a SATA drive with NCQ priority, past the"
              + " I/O scheduler; not cached. auto: what suits the volume's device; the log and JMX"
              + " say what and why. What an engine cannot read, thread does. Example: auto,"
              + " /data/1=thread. A directory that is no volume is logged as an error.",
          EngineChoice::parse);

  /** The native library of the engines. */
  public static final ConfigKey<String> DATANODE_ENGINE_LIBRARY =
      new ConfigKey<>(
          "dfs.datanode.io.priority.engine.library",
          "path or name",
          "hprio_pbs",
          ConfigKey.Tag.DATANODE,
          false,
          "The library of the engines direct and ncq: the path of libhprio_pbs.so, or a name that"
              + " the system's loader finds (LD_LIBRARY_PATH, ldconfig). Without it all reads go"
              + " through thread.",
          text -> text);

  /** The helper of engine ncq. */
  public static final ConfigKey<String> DATANODE_ENGINE_NCQ_HELPER =
      new ConfigKey<>(
          "dfs.datanode.io.priority.engine.ncq.helper",
          "path",
          "",
          ConfigKey.Tag.DATANODE,
          false,
          "The socket of hprio-pbsd, which sends the commands of engine ncq, so that the DataNode"
              + " needs no right to write its disks. Not set: the DataNode's own rights. While the"
              + " helper does not answer, reads go through thread; it is tried again after 5 to 60"
              + " seconds.",
          EngineSettings::parseSocket);

  /** When engine ncq raises a read. */
  public static final ConfigKey<Integer> DATANODE_ENGINE_NCQ_RAISE_AFTER =
      new ConfigKey<>(
          "dfs.datanode.io.priority.engine.ncq.raise.after.ms",
          "milliseconds",
          "500",
          ConfigKey.Tag.DATANODE,
          false,
          "After this time a read of engine ncq that was sent to the drive at normal priority is"
              + " sent again at high, and counted; 0: never. Reads at normal priority are those"
              + " above dfs.datanode.io.priority.realtime.share with excess demote.",
          EngineSettings::parseMillis);

  private HdfsKeys() {}

  /** All keys, in the order of the reference. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        CLIENT_PRIORITY,
        DATANODE_HIGHEST,
        DATANODE_RULES,
        DATANODE_POLICY,
        DATANODE_REALTIME_SHARE,
        DATANODE_REALTIME_EXCESS,
        DATANODE_ENGINE,
        DATANODE_ENGINE_LIBRARY,
        DATANODE_ENGINE_NCQ_HELPER,
        DATANODE_ENGINE_NCQ_RAISE_AFTER);
  }
}
