package org.hadoopprio.bench.experiment;

import java.util.Locale;
import java.util.OptionalDouble;

/** A figure that an experiment must reach, and what was measured. Immutable. */
public final class Target {

  /** Whether a target is a least or a greatest value. */
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

  private final String what;
  private final Bound bound;
  private final double required;
  private final OptionalDouble measured;
  private final String source;
  private final boolean decisive;

  private Target(
      String what,
      Bound bound,
      double required,
      OptionalDouble measured,
      String source,
      boolean decisive) {
    this.what = what;
    this.bound = bound;
    this.required = required;
    this.measured = measured;
    this.source = source;
    this.decisive = decisive;
  }

  /**
   * A target that decides the exit status.
   *
   * @param measured empty where the cells it needs were not measured (a quick run)
   * @param source where the required value comes from
   */
  public static Target of(
      String what, Bound bound, double required, OptionalDouble measured, String source) {
    return new Target(what, bound, required, measured, source, true);
  }

  /** The same target, reported only: known not to be reproduced, or for comparison. */
  public Target reportedOnly() {
    return new Target(what, bound, required, measured, source, false);
  }

  public String what() {
    return what;
  }

  public Bound bound() {
    return bound;
  }

  public double required() {
    return required;
  }

  public OptionalDouble measured() {
    return measured;
  }

  public String source() {
    return source;
  }

  /** Whether it decides the exit status. */
  public boolean decisive() {
    return decisive;
  }

  /** Whether it was measured and is reached. */
  public boolean met() {
    return measured.isPresent()
        && (bound == Bound.AT_LEAST
            ? measured.getAsDouble() >= required
            : measured.getAsDouble() <= required);
  }

  /** Whether it was measured and is not reached. */
  public boolean missed() {
    return measured.isPresent() && !met();
  }

  /** Whether it is met, missed or not measured. */
  public String state() {
    return measured.isEmpty() ? "not measured" : met() ? "met" : "missed";
  }

  /** For people, in a line. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-12s %s: %s%s %s%s",
        state(),
        what,
        measured.isPresent() ? Numbers.text(measured.getAsDouble()) + ", " : "",
        bound,
        Numbers.text(required),
        decisive ? "" : " (reported only)");
  }
}
