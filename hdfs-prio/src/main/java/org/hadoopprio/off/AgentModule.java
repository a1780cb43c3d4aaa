// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.off;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopprio.log.Printable;

/** A module of the agent, by the name with which it is switched off. */
public enum AgentModule {
  /** Sends the priorities of reads and writes. */
  HDFS_CLIENT,
  /** Sends reads that are late to another replica. */
  LATE_READS,
  /** Does a DataNode's reads and writes at their priorities. */
  DATANODE,
  /** What a DataNode does of its own accord. */
  WORK,
  /** Makes a DataNode's reads take turns. */
  SCHEDULER,
  /** Reads past the page cache. */
  ENGINES,
  /** Lets dfsadmin change a DataNode's keys. */
  RECONFIGURE,
  /** Gives the calls of a RegionServer their priorities. */
  REGIONSERVER,
  /** What a RegionServer does of its own accord. */
  REGION_WORK,
  /** Sends the environment's priority to HBase. */
  HBASE_CLIENT;

  /**
   * All that have an effect on requests. {@link #RECONFIGURE} has none: who has switched the others
   * off may still change a DataNode's keys.
   */
  public static final Set<AgentModule> ALL =
      Set.copyOf(EnumSet.complementOf(EnumSet.of(RECONFIGURE)));

  /** What states priorities to other processes, or sets them for this one's own reads. */
  static final Set<AgentModule> STATING =
      Set.of(HDFS_CLIENT, LATE_READS, REGION_WORK, HBASE_CLIENT);

  private static final String ALLOWED =
      Arrays.stream(values()).map(AgentModule::toString).collect(Collectors.joining(", "));

  /**
   * Reads names, separated by blanks or commas.
   *
   * @throws IllegalArgumentException naming what is no module, and what is allowed
   */
  public static Set<AgentModule> parse(String names) {
    Set<AgentModule> modules = EnumSet.noneOf(AgentModule.class);
    for (String name : names.split("[\\s,]+", -1)) {
      if (!name.isEmpty()) {
        modules.add(of(name));
      }
    }
    return modules;
  }

  private static AgentModule of(String name) {
    for (AgentModule module : values()) {
      if (module.toString().equals(name)) {
        return module;
      }
    }
    throw new IllegalArgumentException(
        "\"" + Printable.of(name) + "\" is no module; allowed: " + ALLOWED);
  }

  /** The name, such as {@code late-reads}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
