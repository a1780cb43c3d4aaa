// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.doctor;

import java.io.IOException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;

/** Why {@code hprio prove} cannot tell, in words. */
final class ProveFailure {

  private ProveFailure() {}

  /** What was wrong: HBase's client wraps it, and servers send their stack traces along. */
  static String reason(IOException e) {
    Throwable cause = e;
    while (cause instanceof RetriesExhaustedException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    boolean own = cause.getClass() == IOException.class;
    return own ? message : cause.getClass().getSimpleName() + ": " + message;
  }
}
