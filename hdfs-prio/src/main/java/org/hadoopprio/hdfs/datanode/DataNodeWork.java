// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import org.hadoopprio.IoPriority;
import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.config.VolumeMode;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.role.WorkScope;

/**
 * Something that a thread of a DataNode does for the DataNode itself, other than reading or
 * receiving one block of its own (for these see {@link DataNodeReads#workBegins} and {@link
 * DataNodeWrites#receiveBegins}). Not thread-safe; used by that thread only.
 */
public final class DataNodeWork {

  /**
   * The policy of the DataNode that was started last: threads of a pool do not know their own, nor
   * does its web server.
   */
  private static volatile DataNodePolicy policy;

  private final ServedRequest served;

  /** Null while the DataNode only observes. */
  private final PriorityScope scope;

  private DataNodeWork(IoRole role, DataNodePolicy policy, boolean stock) {
    IoPriority priority = policy.priorityOf(role);
    served = ServedRequest.of(role, priority);
    if (stock) {
      scope = null;
      return;
    }
    // First what may fail, so that then nothing is left on the thread.
    served.applyPriority();
    scope = Hint.of(priority, role).patientFor(policy.patienceMillisOf(role)).openScope();
  }

  static void dataNodeStarting(DataNodePolicy started) {
    policy = started;
  }

  /**
   * The calling thread begins such work: it has the priority of the role, as have the operations
   * that it sends to other DataNodes.
   *
   * @return the value to pass to {@link #end}; null if no DataNode has started, or while it is off
   */
  public static DataNodeWork begin(IoRole role) {
    DataNodePolicy now = policy;
    if (now == null || isOff()) {
      return null;
    }
    VolumeMode mode = now.mode();
    return mode == VolumeMode.OFF ? null : new DataNodeWork(role, now, mode.isStock());
  }

  /**
   * Whether all that the DataNode reads and writes is stock at present, and so before it has
   * started.
   */
  public static boolean isDataNodeStock() {
    DataNodePolicy now = policy;
    return now == null || now.mode().isStock();
  }

  /** Whether such work is stock at present, whatever the mode of a volume. */
  static boolean isOff() {
    return OffSwitch.isOff(AgentModule.WORK);
  }

  /** The calling thread ends its work, successful or not. */
  public static void end(DataNodeWork begun) {
    if (begun != null) {
      begun.served.finish();
      WorkScope.close(begun.scope);
    }
  }
}
