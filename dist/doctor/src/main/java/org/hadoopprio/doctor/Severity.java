// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.doctor;

import java.util.Locale;

/** How much a finding matters. */
enum Severity {
  /** No change is needed. */
  OK,
  /** Could not be checked; the remedy is what the check needs. */
  SKIPPED,
  /** Works, but could be better; or an operator should know it. */
  ADVICE,
  /** Priorities have no effect, or another effect than requested. */
  PROBLEM;

  /** The name in reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
