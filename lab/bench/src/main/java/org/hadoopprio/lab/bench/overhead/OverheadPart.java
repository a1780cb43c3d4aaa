// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.overhead;

import org.hadoopprio.lab.bench.experiment.EnumNames;

/** What can be measured by itself. */
public enum OverheadPart {
  /** Reads, in each {@link State}. */
  READS(5, 3),

  /** Starts of a MapReduce task. */
  TASK(20, 10);

  private final int rounds;
  private final int quickRounds;

  OverheadPart(int rounds, int quickRounds) {
    this.rounds = rounds;
    this.quickRounds = quickRounds;
  }

  /** How many rounds it has if nothing else is said. */
  public int rounds(boolean quick) {
    return quick ? quickRounds : rounds;
  }

  /** Its value of the factor. */
  String label() {
    return EnumNames.text(this);
  }
}
