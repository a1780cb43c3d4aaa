// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.hadoopprio.IoPriority;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.policy.AuditLog;
import org.hadoopprio.policy.Decision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RegionServer's audit log. Thread-safe; one per process. */
final class ServerAudit {

  private static final Logger LOG = LoggerFactory.getLogger(ServerAudit.class);

  private static final AuditLog AUDIT = new AuditLog();

  private static boolean loaded;

  private ServerAudit() {}

  /**
   * Applies the key; later calls do nothing.
   *
   * @throws IllegalArgumentException on the first call, naming the key, the value and what is
   *     allowed
   */
  static synchronized void load(Configuration conf) {
    if (!loaded) {
      AUDIT.setFrom(HBaseKeys.AUDIT.get(conf));
      loaded = true;
    }
  }

  /** Applies it again; returns the error for the administrator, or null if there was none. */
  static synchronized DoNotRetryIOException reload(Configuration conf) {
    try {
      AUDIT.setFrom(HBaseKeys.AUDIT.get(conf));
      return null;
    } catch (IllegalArgumentException e) {
      String message = e.getMessage() + "; the previous value stays in force";
      LOG.error(message);
      return new DoNotRetryIOException(message, e);
    }
  }

  /** Notes a call's operation that is served. */
  static void served(
      RpcCall call,
      IoPriority asked,
      IoPriority granted,
      CallRequester requester,
      Decision decision) {
    if (!AUDIT.isOn()) {
      return;
    }
    AUDIT.note(
        AuditLog.Outcome.of(decision, granted),
        asked,
        granted,
        requester,
        call.getRemoteAddress(),
        decision);
  }

  /** Notes a call's operation that the policy rejects. */
  static void rejected(RpcCall call, IoPriority asked, CallRequester requester, Decision decision) {
    AUDIT.note(
        AuditLog.Outcome.REJECTED,
        asked,
        IoPriority.NONE,
        requester,
        call.getRemoteAddress(),
        decision);
  }
}
