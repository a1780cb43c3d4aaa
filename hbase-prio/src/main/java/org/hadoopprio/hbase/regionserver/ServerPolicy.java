// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.policy.AccessPolicy;
import org.hadoopprio.policy.PolicyFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RegionServer's policy file. Thread-safe; one per process. */
final class ServerPolicy {

  private static final Logger LOG = LoggerFactory.getLogger(ServerPolicy.class);

  private static volatile PolicyFile loaded;

  private ServerPolicy() {}

  /**
   * The process's policy file. The first call reads it, and grants nobody more than normal if the
   * file is invalid: the same file is usually on all hosts, and after a loss of power no
   * RegionServer would start. Later calls return it unchanged.
   */
  static synchronized PolicyFile of(Configuration conf) {
    if (loaded == null) {
      loaded = atStart(conf);
    }
    return loaded;
  }

  /** The policy in force; one without rules before it is read. */
  static AccessPolicy current() {
    PolicyFile file = loaded;
    return file == null ? AccessPolicy.NONE : file.policy();
  }

  static PolicyFile atStart(Configuration conf) {
    PolicyFile file = new PolicyFile(HBaseKeys.POLICY);
    String named = conf.getTrimmed(HBaseKeys.POLICY.name());
    if (named != null) {
      file.loadAtStart(named);
    }
    return file;
  }

  /** Reads the file again; returns the error for the administrator, or null if there was none. */
  static synchronized DoNotRetryIOException reload(Configuration conf) {
    if (loaded == null) {
      return null;
    }
    try {
      loaded.load(conf.getTrimmed(HBaseKeys.POLICY.name()));
      return null;
    } catch (IllegalArgumentException e) {
      String message = e.getMessage() + "; the previous policy stays in force";
      LOG.error(message);
      return new DoNotRetryIOException(message, e);
    }
  }
}
