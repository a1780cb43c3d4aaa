// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.delegate;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;

/**
 * Is told by the hooks on an RPC server what its threads do, on these threads. No method throws.
 */
public interface ServerListener {

  /** The calling thread starts to serve a call. */
  void callStarted();

  /**
   * The calling thread has served its call, successfully or not.
   *
   * @param result what is sent to the client; null if it has failed
   */
  void callEnded(Object result);

  /**
   * The priority of the call that the calling thread serves; null if it has none, and while the
   * server only observes.
   */
  IoPriority priority();

  /**
   * The priority of the scan for which the calling thread serves a call or has served its last one;
   * null if that was no scan or one without a priority.
   */
  IoPriority scanPriority();

  /** For whom a tenant's work counts that others wait for. */
  String raised(String tenant);

  /**
   * The server has reloaded its configuration.
   *
   * @return the exception to throw to the caller that asked for the reload; null on success
   */
  Throwable reconfigure(Configuration conf);
}
