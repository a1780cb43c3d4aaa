// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.wire;

import java.io.IOException;

/**
 * Thrown for a message that cannot be decoded, or whose content cannot be; the connection must be
 * closed.
 */
public final class MalformedMessageException extends IOException {

  private static final long serialVersionUID = 1;

  /**
   * Makes one.
   *
   * @param message is logged; must be printable
   */
  public MalformedMessageException(String message) {
    super(message);
  }
}
