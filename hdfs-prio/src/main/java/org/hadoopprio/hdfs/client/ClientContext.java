// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.client;

/**
 * What a thread is doing in an HDFS client. The hooks are called on that thread by code that hands
 * on nothing of ours, so this is where they find it. A thread has one for its life. Not
 * thread-safe; used by its thread only.
 */
final class ClientContext {

  private static final ThreadLocal<ClientContext> OF_THREAD = new ThreadLocal<>();

  /** Those of the DFSClient in which the thread is. */
  ClientDefaults defaults = ClientDefaults.NONE;

  /** After how long that client gives up a DataNode while it opens a block; 0 if unknown. */
  int patienceMillis;

  /** The positioned read of one block, with a latency target, that has begun; null if none. */
  LateReads.PositionedRead positionedRead;

  private ShortCircuitRead shortCircuitRead;

  private ClientContext() {}

  /** The calling thread's. */
  static ClientContext ofThread() {
    ClientContext context = OF_THREAD.get();
    if (context == null) {
      context = new ClientContext();
      OF_THREAD.set(context);
    }
    return context;
  }

  /** The short-circuit read that is being done, and the turn that it may keep for the next one. */
  ShortCircuitRead shortCircuitRead() {
    if (shortCircuitRead == null) {
      shortCircuitRead = new ShortCircuitRead();
    }
    return shortCircuitRead;
  }
}
