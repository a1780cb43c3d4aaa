package org.hadoopprio.doctor;

import java.util.Locale;

/** How much a finding matters. */
enum Severity {
  /** As it should be. */
  OK,
  /** Works; something could be better, or an operator should know it. */
  ADVICE,
  /** Priorities have no effect, or not the one that was asked for. */
  PROBLEM;

  /** As people and programs read it. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
