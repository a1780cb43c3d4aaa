package org.hadoopprio.lab.bench.starvation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How much the real-time client reads. Immutable. */
final class RealtimeLoad {

  /** No real-time client. */
  static final RealtimeLoad NONE = new RealtimeLoad(Kind.NONE, 0);

  enum Kind {
    /** No reads. */
    NONE,
    /** A number of threads, each of which starts a read when its previous one has ended. */
    CLOSED,
    /** Reads that arrive at random, at a percentage of the rate the disk can do alone. */
    OPEN
  }

  private static final Pattern TEXT = Pattern.compile("(closed|open)(\\d+)");

  private final Kind kind;
  private final int amount;

  private RealtimeLoad(Kind kind, int amount) {
    this.kind = kind;
    this.amount = amount;
  }

  /** Closed loop of 1 thread or more. */
  static RealtimeLoad closed(int threads) {
    return new RealtimeLoad(Kind.CLOSED, threads);
  }

  /** Open loop at so many percent of what the disk can do alone. */
  static RealtimeLoad open(int percent) {
    return new RealtimeLoad(Kind.OPEN, percent);
  }

  /** Parses what {@link #toString} returns. */
  static RealtimeLoad parse(String text) {
    if (text.equals(NONE.toString())) {
      return NONE;
    }
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a load; allowed: none, closedTHREADS, openPERCENT");
    }
    int amount = Integer.parseInt(matcher.group(2));
    return matcher.group(1).equals("closed") ? closed(amount) : open(amount);
  }

  Kind kind() {
    return kind;
  }

  /** Threads of a closed loop, percent of an open one. */
  int amount() {
    return amount;
  }

  /** For people. */
  String label() {
    switch (kind) {
      case CLOSED:
        return amount + (amount == 1 ? " thread" : " threads");
      case OPEN:
        return amount + " % of the disk";
      default:
        return "no real-time reads";
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RealtimeLoad
        && ((RealtimeLoad) other).kind == kind
        && ((RealtimeLoad) other).amount == amount;
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + amount;
  }

  /** The value of the factor: {@code none}, {@code closed4}, {@code open50}. */
  @Override
  public String toString() {
    return kind == Kind.NONE ? "none" : (kind == Kind.CLOSED ? "closed" : "open") + amount;
  }
}
