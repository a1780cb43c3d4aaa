package org.hadoopprio.hdfs.client;

import org.hadoopprio.IoPriority;

/**
 * Knows the priority of the work a thread is doing now, where that work is not of HDFS's making: an
 * HBase RPC call, for instance.
 *
 * <p>Pulled by the code that reads, on the reading thread, each time; called concurrently. It must
 * be quick and must not throw.
 */
@FunctionalInterface
public interface PriorityProvider {

  /** The priority of the calling thread's work, or null where this provider has nothing to say. */
  IoPriority current();
}
