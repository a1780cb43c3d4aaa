// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A figure that an experiment must reach, and what was measured.
 *
 * <p>A target that is {@link State#MISSED} makes the command end with 1. {@link State#UNDETERMINED}
 * does not: more repetitions can narrow the interval until it decides.
 *
 * @param estimate what was measured, with its interval if that is known
 * @param source where the required value comes from
 */
public record Target(
    String what, Bound bound, double required, Optional<Estimate> estimate, String source) {
  /** Whether the required value is a minimum or a maximum. */
  public enum Bound {
    AT_LEAST("at least"),
    AT_MOST("at most");

    private final String words;

    Bound(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** How a target stands. */
  public enum State {
    /** It was measured and is reached, by the whole interval where one is known. */
    MET("met"),
    /** It was measured and is not reached, by no part of the interval where one is known. */
    MISSED("missed"),
    /** The bound lies within the 95 % confidence interval. */
    UNDETERMINED("undetermined"),
    /** The cells it needs were not measured, as in a quick run. */
    NOT_MEASURED("not measured");

    private final String words;

    State(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * A target.
   *
   * @param estimate empty where the cells it needs were not measured (a quick run)
   * @param source where the required value comes from
   */
  public static Target of(
      String what, Bound bound, double required, Optional<Estimate> estimate, String source) {
    return new Target(what, bound, required, estimate, source);
  }

  /** The mean of what was measured. */
  public OptionalDouble measured() {
    return estimate.isPresent() ? OptionalDouble.of(estimate.get().mean()) : OptionalDouble.empty();
  }

  /** How it stands; without an interval the value itself decides. */
  public State state() {
    if (estimate.isEmpty()) {
      return State.NOT_MEASURED;
    }
    boolean low = reachedBy(estimate.get().low());
    boolean high = reachedBy(estimate.get().high());
    return low && high ? State.MET : low || high ? State.UNDETERMINED : State.MISSED;
  }

  private boolean reachedBy(double value) {
    return bound == Bound.AT_LEAST ? value >= required : value <= required;
  }

  public boolean met() {
    return state() == State.MET;
  }

  public boolean missed() {
    return state() == State.MISSED;
  }

  /** For people, in a line. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-12s %s: %s%s %s",
        state(),
        what,
        estimate.map(e -> e + ", ").orElse(""),
        bound,
        Numbers.text(required));
  }
}
