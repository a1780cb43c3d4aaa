// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import org.hadoopprio.IoRole;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.hdfs.datanode.scheduler.Volume;
import org.hadoopprio.hdfs.wire.Hint;
import org.hadoopprio.off.AgentModule;
import org.hadoopprio.off.OffSwitch;
import org.hadoopprio.role.WorkScope;

/**
 * Something that a thread of a DataNode does for the DataNode itself, other than reading or
 * receiving one block of its own (for these see {@link DataNodeReads#workBegins} and {@link
 * DataNodeWrites#receiveBegins}). Not thread-safe; used by that thread only.
 */
public final class DataNodeWork extends AdmittedRequest {

  /**
   * The policy of the DataNode that was started last: threads of a pool do not know their own, nor
   * does its web server.
   */
  private static volatile DataNodePolicy policy;

  /** Null without a priority, and while the DataNode only observes. */
  private PriorityScope scope;

  private DataNodeWork(IoRole role) {
    super(Kind.WORK, Hint.NOTHING);
    setRole(role);
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
    DataNodeWork begun = new DataNodeWork(role);
    Volume none = now.withoutVolume();
    if (begun.admit(now, none, none.mode())) {
      Hint sentOn = Hint.of(begun.priority(), role);
      begun.scope = sentOn.patientFor(now.patienceMillisOf(role)).openScope();
    }
    return begun.isDone() ? null : begun;
  }

  /**
   * Whether all that the DataNode reads and writes is stock at present, and so before it has
   * started.
   */
  public static boolean isDataNodeStock() {
    DataNodePolicy now = policy;
    return now == null || now.withoutVolume().mode().isStock();
  }

  /** Whether such work is stock at present, whatever the mode of a volume. */
  static boolean isOff() {
    return OffSwitch.isOff(AgentModule.WORK);
  }

  @Override
  protected void leaveDisk() {
    WorkScope.close(scope);
  }

  /** The calling thread ends its work, successful or not. */
  public static void end(DataNodeWork begun) {
    if (begun != null) {
      begun.end();
    }
  }
}
