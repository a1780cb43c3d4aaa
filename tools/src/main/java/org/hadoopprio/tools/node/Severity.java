// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.node;

import java.util.Locale;

/** How much a finding matters. */
public enum Severity {
  /** No change is needed. */
  OK,
  /** Could not be checked; the remedy is what the check needs. */
  SKIPPED,
  /** Works, but could be better; or an operator should know it. */
  ADVICE,
  /** Priorities have no effect, or another effect than requested. */
  PROBLEM;

  /** The name in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
