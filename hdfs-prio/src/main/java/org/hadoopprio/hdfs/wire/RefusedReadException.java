// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * A read would miss its latency target, and its client can go to another replica. Nothing has been
 * answered yet; the client is told ({@link RefusedAnswer}).
 *
 * <p>DataXceiver takes a timeout for no failure of its own: it logs none and counts none.
 */
public final class RefusedReadException extends SocketTimeoutException {

  private static final long serialVersionUID = 1L;

  /** Makes one without a stack trace, because it tells of no error. */
  public RefusedReadException(String message) {
    super(message);
  }

  /**
   * The read would have to wait for a volume.
   *
   * @param nanos what reads of the volume take at present
   */
  public static RefusedReadException expected(String volume, long nanos) {
    return new RefusedReadException(
        "real-time reads of volume "
            + volume
            + " take "
            + TimeUnit.NANOSECONDS.toMillis(nanos)
            + " ms now");
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
