// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.workload;

import java.io.InterruptedIOException;

/** Pauses that fail with an I/O exception when the thread is interrupted. */
public final class Pauses {

  private Pauses() {}

  /**
   * Waits.
   *
   * @param ifInterrupted the failure's message
   */
  public static void sleep(long milliseconds, String ifInterrupted) throws InterruptedIOException {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(ifInterrupted);
    }
  }
}
