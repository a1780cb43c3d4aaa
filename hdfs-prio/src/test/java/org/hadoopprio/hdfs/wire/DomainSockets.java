// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.apache.hadoop.net.unix.DomainSocket;

/** What tests with sockets of the file system need. */
public final class DomainSockets {

  private DomainSockets() {}

  /** Skips a test for want of libhadoop; in CI that is a failure. */
  public static void require() {
    String missing = DomainSocket.getLoadingFailureReason();
    if (Boolean.parseBoolean(System.getenv("CI"))) {
      assertNull(missing, "CI must have what the tests need: libhadoop");
    }
    assumeTrue(missing == null, "needs libhadoop: " + missing);
    // The directories of temporary files are open to all.
    DomainSocket.disableBindPathValidation();
  }
}
