package org.hadoopprio.policy;

import java.util.Locale;

/** What becomes of a request for more than its user may have. */
public enum PolicyMode {
  /** Served at the highest allowed, counted. */
  IGNORE,
  /** Served at the highest allowed, counted, and logged at most once a minute. */
  LOG,
  /**
   * A RegionServer answers with an error; a DataNode, where no read fails because of a priority,
   * serves the read at the normal priority. Counted, and logged at most once a minute.
   */
  REJECT;

  static final String ALLOWED = "ignore, log or reject";

  static PolicyMode parse(String text) {
    for (PolicyMode mode : values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException("allowed: " + ALLOWED);
  }
}
