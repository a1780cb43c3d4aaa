// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;

/** A cluster cannot be started, found or reached; the message says why in words for people. */
public final class ClusterException extends IOException {

  private static final long serialVersionUID = 1L;

  /** With what went wrong. */
  public ClusterException(String message) {
    super(message);
  }

  /** With what went wrong and its cause. */
  public ClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
