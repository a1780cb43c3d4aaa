// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.delegate;

import org.apache.hadoop.conf.Configuration;
import org.hadoopprio.IoPriority;
import org.hadoopprio.PriorityScope;
import org.hadoopprio.role.WorkScope;

/**
 * The delegate of the hooks on an RPC server. Without a listener every method returns at once.
 * Thread-safe.
 */
public final class ServedCalls {

  private static volatile ServerListener listener;

  private ServedCalls() {}

  /** Installs the process's listener; null removes it. */
  public static void setListener(ServerListener newListener) {
    listener = newListener;
  }

  /** Whether this process serves calls with priorities. */
  static boolean hasListener() {
    return listener != null;
  }

  /** The calling thread starts to serve a call. */
  public static void callStarted() {
    ServerListener told = listener;
    if (told != null) {
      told.callStarted();
    }
  }

  /**
   * The calling thread has served its call, successfully or not.
   *
   * @param result what is sent to the client; null if it has failed
   */
  public static void callEnded(Object result) {
    ServerListener told = listener;
    if (told != null) {
      told.callEnded(result);
    }
  }

  /** The description of a call for a log line, with the priority of the call if it has one. */
  public static String describe(String call) {
    ServerListener asked = listener;
    IoPriority priority = asked == null ? null : asked.priority();
    return priority == null ? call : call + " io.priority=" + priority;
  }

  /** For whom a tenant's work counts that others wait for; null is no tenant. */
  static String raised(String tenant) {
    ServerListener asked = listener;
    return asked == null || tenant == null ? tenant : asked.raised(tenant);
  }

  /**
   * Opens the scope in which the calling thread works on for the scan of its call; returns null if
   * that has no priority.
   */
  public static PriorityScope openScan() {
    ServerListener asked = listener;
    IoPriority priority = asked == null ? null : asked.scanPriority();
    return WorkScope.open(priority);
  }

  /** The server has reloaded its configuration; returns the exception to throw, or null. */
  public static Throwable reconfigured(Configuration conf) {
    ServerListener told = listener;
    return told == null ? null : told.reconfigure(conf);
  }
}
