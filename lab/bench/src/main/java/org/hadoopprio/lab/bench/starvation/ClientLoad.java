// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.starvation;

import org.hadoopprio.lab.bench.experiment.EnumNames;

/**
 * How much the client reads whose latency is measured, and how.
 *
 * @param amount threads
 */
record ClientLoad(Kind kind, int amount) {
  /** No such client. */
  static final ClientLoad NONE = new ClientLoad(Kind.NONE, 0);

  enum Kind {
    /** No reads. */
    NONE,
    /** Threads that each read at a random place when their last read has ended. */
    RANDOM,
    /** Threads that each read files of their own from begin to end. */
    SEQUENTIAL;

    @Override
    public String toString() {
      return EnumNames.text(this);
    }
  }

  /**
   * A load.
   *
   * @param amount threads
   */
  static ClientLoad of(Kind kind, int amount) {
    return new ClientLoad(kind, amount);
  }

  /** For people. */
  String label() {
    return kind == Kind.NONE
        ? "no real-time reads"
        : amount + " " + kind + (amount == 1 ? " reader" : " readers");
  }

  /** The value of the factor: {@code none}, {@code random4}. */
  @Override
  public String toString() {
    return kind == Kind.NONE ? kind.toString() : kind.toString() + amount;
  }
}
