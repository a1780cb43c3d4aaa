package org.hadoopprio.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.hadoopprio.hbase.config.HBaseKeys;
import org.hadoopprio.policy.PolicyFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RegionServer's one policy file, shared by all that decide. */
final class ServerPolicy {

  private static final Logger LOG = LoggerFactory.getLogger(ServerPolicy.class);

  private static PolicyFile loaded;

  private ServerPolicy() {}

  /**
   * The process's policy file, read by the first caller. Later ones have it as it is: a region that
   * opens must not stumble over a file that was spoilt since.
   *
   * @throws IllegalArgumentException at first, if the file cannot be used
   */
  static synchronized PolicyFile of(Configuration conf) {
    if (loaded == null) {
      PolicyFile file = new PolicyFile(HBaseKeys.POLICY);
      String named = conf.getTrimmed(HBaseKeys.POLICY.name());
      if (named != null) {
        file.load(named);
      }
      loaded = file;
    }
    return loaded;
  }

  /** Reads it anew; returns what to tell whoever wanted that, or null where all is well. */
  static synchronized DoNotRetryIOException reload(Configuration conf) {
    if (loaded == null) {
      return null;
    }
    try {
      loaded.load(conf.getTrimmed(HBaseKeys.POLICY.name()));
      return null;
    } catch (IllegalArgumentException e) {
      String message = e.getMessage() + "; the policy before it stays";
      LOG.error(message);
      return new DoNotRetryIOException(message, e);
    }
  }
}
