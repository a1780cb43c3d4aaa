package org.hadoopprio.lab.bench.starvation;

import java.util.Locale;

/** How much the real-time client reads, and how. Immutable. */
final class RealtimeLoad {

  /** No real-time client. */
  static final RealtimeLoad NONE = new RealtimeLoad(Kind.NONE, 0);

  enum Kind {
    /** No reads. */
    NONE,
    /** Threads that each read at a random place when their last read has ended. */
    RANDOM,
    /** Threads that each read files of their own from begin to end. */
    SEQUENTIAL,
    /** Random reads that arrive by chance, at a percentage of the rate the disk can do alone. */
    OPEN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Kind kind;
  private final int amount;

  private RealtimeLoad(Kind kind, int amount) {
    this.kind = kind;
    this.amount = amount;
  }

  /**
   * A load.
   *
   * @param amount percent of what the disk can do alone in an open loop, else threads
   */
  static RealtimeLoad of(Kind kind, int amount) {
    return new RealtimeLoad(kind, amount);
  }

  Kind kind() {
    return kind;
  }

  /** Percent of an open loop, else threads. */
  int amount() {
    return amount;
  }

  /** For people. */
  String label() {
    switch (kind) {
      case NONE:
        return "no real-time reads";
      case OPEN:
        return amount + " % of the disk";
      default:
        return amount + " " + kind + (amount == 1 ? " reader" : " readers");
    }
  }

  /** The value of the factor: {@code none}, {@code random4}, {@code open50}. */
  @Override
  public String toString() {
    return kind == Kind.NONE ? kind.toString() : kind.toString() + amount;
  }
}
