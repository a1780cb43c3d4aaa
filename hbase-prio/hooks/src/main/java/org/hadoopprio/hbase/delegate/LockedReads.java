// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.delegate;

import java.util.Objects;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.client.CurrentPriority;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.role.WorkScope;

/**
 * Reads for which a RegionServer holds a lock that more urgent calls need. They are never slower
 * than a normal read, or else whoever asks for idle could stop others (priority inversion). The
 * list of these locks is in {@code docs/hbase.md}. For the same reason those of a tenant that may
 * have less than others do not count for it. Thread-safe.
 */
public final class LockedReads {

  private LockedReads() {}

  /** Whether a priority is less than that of a read that states none; null states none. */
  public static boolean isBelowNormal(IoPriority priority) {
    return priority != null && priority.compareTo(IoPriority.NONE) > 0;
  }

  /** What a read under such a lock states instead of the given priority, which may be null. */
  public static IoPriority raised(IoPriority priority) {
    return isBelowNormal(priority) ? IoPriority.NONE : priority;
  }

  /**
   * The calling thread begins work under such a lock.
   *
   * @return the value to pass to {@link WorkScope#close}; null if the thread's reads are normal or
   *     more urgent, or the process is no RegionServer with hadoop-prio: there nobody else needs
   *     the lock
   */
  public static PriorityScope open() {
    if (!ServedCalls.hasListener() || OffSwitch.isOff(AgentModule.REGIONSERVER)) {
      return null;
    }
    boolean isBelow = isBelowNormal(CurrentPriority.get());
    String tenant = CurrentPriority.tenant();
    String raised = ServedCalls.raised(tenant);
    if (!isBelow && Objects.equals(tenant, raised)) {
      return null;
    }
    // Null leaves the priority to the call.
    IoPriority priority = isBelow ? IoPriority.NONE : PriorityScope.current();
    return PriorityScope.open(priority, PriorityScope.currentRole(), 0, raised);
  }
}
