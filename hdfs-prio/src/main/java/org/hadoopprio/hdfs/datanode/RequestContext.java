// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode;

import org.hadoopprio.hdfs.datanode.engine.EngineRead;
import org.hadoopprio.hdfs.wire.Hint;

/**
 * What a thread of a DataNode does for a request, from when its header has been parsed to when it
 * has been served. The hooks are called on that thread by code that hands on nothing of ours, so
 * this is where they find it. A thread has one for its life; each part of it is taken away where
 * that part ends. Not thread-safe; used by its thread only.
 *
 * <p>What the scheduler knows of a read is not here but with the scheduler ({@code
 * ScheduledReads}), which does not know this package.
 */
public final class RequestContext {

  private static final ThreadLocal<RequestContext> OF_THREAD =
      ThreadLocal.withInitial(RequestContext::new);

  private Hint stated = Hint.NOTHING;

  /** The read that has begun, and of which the block token has not been checked; null if none. */
  DataNodeReads.UncheckedRead unchecked;

  /** The read that is being done; null if none. */
  ServedRequest read;

  /** The same read, as far as it concerns the engines; null if it does not. */
  EngineRead engineRead;

  /** The write that is being done; null if none. A transfer reads at the same time. */
  DataNodeWrites.Write write;

  /** Whether the disk balancer moves a replica. */
  boolean balancesDisks;

  private RequestContext() {}

  /** The calling thread's. */
  public static RequestContext ofThread() {
    return OF_THREAD.get();
  }

  /** Notes what the request states that the thread has parsed and not yet begun. */
  public void setStated(Hint hint) {
    stated = hint;
  }

  /** What that request states; {@link Hint#NOTHING} without one. */
  public Hint stated() {
    return stated;
  }

  /** The request begins: returns what it states, and leaves nothing for the next one. */
  public Hint takeStated() {
    Hint taken = stated;
    stated = Hint.NOTHING;
    return taken;
  }
}
