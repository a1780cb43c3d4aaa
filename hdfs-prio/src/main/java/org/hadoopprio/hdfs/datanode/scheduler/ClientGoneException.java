// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.scheduler;

import java.net.SocketException;

/**
 * A client has closed its connection while its read waited for the disk.
 *
 * <p>DataXceiver takes a SocketException while it serves a read for no failure of its own: a client
 * may close its connection at any time.
 */
public final class ClientGoneException extends SocketException {

  private static final long serialVersionUID = 1L;

  /** Makes one without a stack trace, because it tells of no error. */
  public ClientGoneException() {
    super("the client has closed its connection while its read waited for the disk");
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
