package org.hadoopprio.hdfs.datanode;

import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.linux.ThreadIoPriority;
import org.hadoopprio.role.IoRole;

/**
 * Something that a thread of a DataNode does for the DataNode itself, other than reading or
 * receiving one block of its own (for these see {@link DataNodeReads#workBegins} and {@link
 * DataNodeWrites#receiveBegins}). Not thread-safe; used by that thread only.
 */
public final class DataNodeWork {

  /** The policy of the DataNode that was started last: threads of a pool do not know their own. */
  private static volatile DataNodePolicy policy;

  private final int priorityToRestore;
  private final PriorityScope scope;

  private DataNodeWork(IoPriority priority) {
    // First what may fail, so that then nothing is left on the thread.
    priorityToRestore = ThreadIoPriority.apply(priority);
    scope = PriorityScope.open(priority);
  }

  static void dataNodeStarting(DataNodePolicy started) {
    policy = started;
  }

  /**
   * The calling thread begins such work: it has the priority of the role, as have the operations
   * that it sends to other DataNodes.
   *
   * @return the value to pass to {@link #end}; null if the role has no priority
   */
  public static DataNodeWork begin(IoRole role) {
    DataNodePolicy now = policy;
    IoPriority priority = now == null ? null : now.priorityOf(role);
    return priority == null ? null : new DataNodeWork(priority);
  }

  /** The calling thread ends its work, successful or not. */
  public static void end(DataNodeWork begun) {
    if (begun != null) {
      ThreadIoPriority.restore(begun.priorityToRestore);
      begun.scope.close();
    }
  }
}
