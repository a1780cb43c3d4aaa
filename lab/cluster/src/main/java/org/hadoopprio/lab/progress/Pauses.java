// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.progress;

import java.io.IOException;
import java.io.InterruptedIOException;

/** Waiting that fails with an I/O exception when the thread is interrupted. */
public final class Pauses {

  private static final long POLL_MS = 100;
  private static final String INTERRUPTED = "interrupted while waiting";

  private Pauses() {}

  /** What may come. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws IOException;
  }

  /** Waits for some time. */
  public static void sleep(long milliseconds) throws InterruptedIOException {
    sleep(milliseconds, INTERRUPTED);
  }

  /**
   * Waits for some time.
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

  /** Waits until something holds, but not for ever; returns whether it does. */
  public static boolean await(long timeoutMs, Condition condition) throws IOException {
    long until = System.nanoTime() + timeoutMs * 1_000_000;
    while (!condition.holds()) {
      if (System.nanoTime() > until) {
        return false;
      }
      sleep(POLL_MS);
    }
    return true;
  }

  /**
   * The same.
   *
   * @param what comes, for the failure
   * @throws IOException if it does not come in time
   */
  public static void await(String what, long timeoutMs, Condition condition) throws IOException {
    if (!await(timeoutMs, condition)) {
      throw new IOException(what + " has not come after " + timeoutMs / 1000 + " s");
    }
  }
}
