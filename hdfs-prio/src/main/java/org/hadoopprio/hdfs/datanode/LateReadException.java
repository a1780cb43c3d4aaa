package org.hadoopprio.hdfs.datanode;

import java.net.SocketTimeoutException;

/**
 * A read that the drive has ended because it would have been late, and that the client may ask
 * another DataNode for. It is thrown before the DataNode has answered the client.
 *
 * <p>A SocketTimeoutException, because DataXceiver takes this one for a sign that neither the block
 * nor the volume is at fault.
 */
public final class LateReadException extends SocketTimeoutException {

  private static final long serialVersionUID = 1;

  /** Makes an exception with a message for the log. */
  public LateReadException(String message) {
    super(message);
  }
}
