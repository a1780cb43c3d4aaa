package org.hadoopprio.lab.bench.starvation;

import org.hadoopprio.hdfs.datanode.share.ShareKeys;

/** What the DataNode calls the settings of its scheduler of disk time. */
final class SchedulerKeyNames {

  static final String MODE = "dfs.datanode.io.priority.scheduler";
  static final String OFF = "off";
  static final String ORDER = "order";
  static final String TURNS = "turns";

  static final String SHARE = ShareKeys.SHARE.name();
  static final double DEFAULT_SHARE = ShareKeys.SHARE.defaultValue();

  static final String EXCESS = ShareKeys.EXCESS.name();
  static final String PACE = "pace";
  static final String DEMOTE = "demote";

  /** The attribute of the DataNode's MBean that says which mode is in force. */
  static final String MODE_ATTRIBUTE = "Scheduler";

  private SchedulerKeyNames() {}
}
