// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

/** Shows the progress of a running experiment. */
public interface StepLog {

  /** Says what is being done now. */
  void say(String message);

  /**
   * Says how far the current step is; only some of the calls are shown.
   *
   * @param fraction 0 to 1
   * @param detail what is done, such as {@code 120 of 400 MB}
   */
  void at(double fraction, String detail);
}
