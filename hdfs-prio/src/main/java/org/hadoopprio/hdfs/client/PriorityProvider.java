// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

import org.hadoopprio.IoPriority;

/**
 * Supplies priority and tenant of the work that a thread does on behalf of something other than
 * HDFS, for instance an HBase RPC call.
 *
 * <p>Called for each read on the reading thread, concurrently. Implementations must be fast and
 * must not throw.
 */
@FunctionalInterface
public interface PriorityProvider {

  /** The priority of the calling thread's work, or null if this provider does not know one. */
  IoPriority current();

  /** The name of the tenant whose work it is, or null if this provider does not know one. */
  default String tenant() {
    return null;
  }

  /**
   * The calling thread is about to read with a latency target; called once for each read.
   *
   * @return how many reads are expected to follow for the same work; 0 if that is not known
   */
  default int readBegins() {
    return 0;
  }
}
