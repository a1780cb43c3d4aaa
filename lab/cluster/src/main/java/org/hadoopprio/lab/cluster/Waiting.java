// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.InterruptedIOException;

/** Sleeping that turns an interrupt into a failure. */
final class Waiting {

  private Waiting() {}

  static void pause(long milliseconds) throws InterruptedIOException {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the cluster");
    }
  }
}
