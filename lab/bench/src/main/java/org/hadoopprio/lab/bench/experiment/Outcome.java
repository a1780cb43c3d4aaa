// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

/** How an experiment ended. */
public enum Outcome {
  /** The results are valid, and no target is missed; some may be undetermined. */
  PASSED("passed", 0),
  /** The results are valid, and a target is missed. */
  FAILED("FAILED", 1),
  /** A validity gate does not hold, so the results are invalid. */
  INVALID("INVALID", 4);

  private final String word;
  private final int exitCode;

  Outcome(String word, int exitCode) {
    this.word = word;
    this.exitCode = exitCode;
  }

  static Outcome of(Findings findings) {
    if (!findings.invalid().isEmpty()) {
      return INVALID;
    }
    return findings.passed() ? PASSED : FAILED;
  }

  /**
   * The exit status of the command; not 2 and 3, which stand for bad input and missing packages.
   */
  public int exitCode() {
    return exitCode;
  }

  @Override
  public String toString() {
    return word;
  }
}
