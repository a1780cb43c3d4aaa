// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.Locale;

/** What happens to a request for a more urgent priority than its user is allowed. */
public enum PolicyMode {
  /** It is served at the highest allowed priority and counted. */
  IGNORE,
  /** It is served at the highest allowed priority, counted, and logged at most once a minute. */
  LOG,
  /**
   * A RegionServer answers with an error. A DataNode never fails a read because of its priority and
   * serves it as if it had stated none. The request is counted, and logged at most once a minute.
   */
  REJECT;

  static final String ALLOWED = "ignore, log or reject";

  static PolicyMode parse(String text) {
    for (PolicyMode mode : values()) {
      if (mode.toString().equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("allowed: " + ALLOWED);
  }

  /** As in a policy file. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
