// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.trace;

import java.io.IOException;

/** Block requests cannot be traced on this machine; the message says what is missing. */
public final class BlockTraceUnavailableException extends IOException {

  private static final long serialVersionUID = 1L;

  /** What is missing, for people. */
  public BlockTraceUnavailableException(String message) {
    super(message);
  }

  BlockTraceUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
