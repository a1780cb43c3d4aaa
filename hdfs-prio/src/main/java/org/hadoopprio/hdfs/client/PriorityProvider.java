package org.hadoopprio.hdfs.client;

import org.hadoopprio.IoPriority;

/**
 * Supplies the priority of the work that a thread does on behalf of something other than HDFS, for
 * instance an HBase RPC call.
 *
 * <p>Called for each read on the reading thread, concurrently. Implementations must be fast and
 * must not throw.
 */
@FunctionalInterface
public interface PriorityProvider {

  /** The priority of the calling thread's work, or null if this provider does not know one. */
  IoPriority current();
}
