// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;

/**
 * Whether the agent's hooks are there that make reads take turns. Without them only a part of the
 * reads would, and no volume of the process has mode {@code turns}. Thread-safe.
 */
public final class TurnHooks {

  /** Why a volume has not the mode it should have. */
  static final String OBSTACLE = "the agent's module scheduler is off";

  private static volatile boolean off;

  private TurnHooks() {}

  /** The hooks are not there, or are again. */
  public static void setOff(boolean areOff) {
    off = areOff;
  }

  static boolean areOff() {
    return off || OffSwitch.isOff(AgentModule.SCHEDULER);
  }
}
