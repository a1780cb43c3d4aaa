// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import java.util.Optional;
import org.apache.hadoop.net.unix.DomainSocket;
import org.hadoopprio.lab.testing.Need;

/** What tests with sockets of the file system need. */
public final class DomainSockets {

  private DomainSockets() {}

  /** Skips a test for want of libhadoop; in CI that is a failure. */
  public static void require() {
    String missing = DomainSocket.getLoadingFailureReason();
    Need.LIBHADOOP.require(Optional.ofNullable(missing));
    // The directories of temporary files are open to all.
    DomainSocket.disableBindPathValidation();
  }
}
