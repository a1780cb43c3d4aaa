// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.progress;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Shows the current step of a long run, its progress, and the time left.
 *
 * <p>On a terminal the step's line is written over; elsewhere a line comes every few seconds. Not
 * safe for use by several threads at once.
 */
public final class StepProgress {

  private static final long TERMINAL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long LINE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final double MIN_FRACTION_TO_EXTRAPOLATE = 0.02;
  private static final double NONE_YET = -1;
  private static final String CLEAR_LINE = "\r\033[K";

  private final PrintStream out;
  private final boolean terminal;
  private final int steps;
  private final LongSupplier nanoTime;
  private int number;
  private String title = "";
  private long stepStart;
  private long lastShown;

  /**
   * The step's first fraction, and when it was left: the time before that says nothing about the
   * pace.
   */
  private double firstFraction;

  private long firstLeft;

  /** When the step began to wait; 0 while it does not. */
  private long waitingStart;

  /**
   * A display of a run with that many steps.
   *
   * @param terminal whether {@code out} is one
   */
  public StepProgress(PrintStream out, boolean terminal, int steps) {
    this(out, terminal, steps, System::nanoTime);
  }

  StepProgress(PrintStream out, boolean terminal, int steps, LongSupplier nanoTime) {
    this.out = out;
    this.terminal = terminal;
    this.steps = steps;
    this.nanoTime = nanoTime;
  }

  /** Begins the next step. */
  public void begin(String stepTitle) {
    number++;
    title = stepTitle;
    stepStart = nanoTime.getAsLong();
    lastShown = stepStart;
    firstFraction = NONE_YET;
    waitingStart = 0;
    if (terminal) {
      out.print(line("..."));
    } else {
      out.println(line("..."));
    }
    out.flush();
  }

  /**
   * Says how far the step is.
   *
   * @param fraction 0 to 1
   * @param detail what is done, such as {@code 120 of 400 MB}
   */
  public void at(double fraction, String detail) {
    long now = nanoTime.getAsLong();
    if (firstFraction == NONE_YET || fraction <= firstFraction) {
      firstFraction = fraction;
      firstLeft = now;
    }
    double gained = fraction - firstFraction;
    String left =
        gained < MIN_FRACTION_TO_EXTRAPOLATE
            ? "time left not known yet"
            : "about " + seconds((now - firstLeft) / 1e9 * (1 - fraction) / gained) + " left";
    show(now, String.format("%3.0f %%, %s, %s", Math.min(fraction, 1) * 100, detail, left));
  }

  /**
   * Reports work of which only the usual duration is known.
   *
   * @param usualSeconds how long it takes on a machine with two cores
   */
  public void waiting(String detail, double usualSeconds) {
    long now = nanoTime.getAsLong();
    if (waitingStart == 0) {
      waitingStart = now;
    }
    double left = usualSeconds - (now - waitingStart) / 1e9;
    show(
        now,
        detail
            + (left > 0
                ? ", about " + seconds(left) + " left"
                : ", longer than the usual " + seconds(usualSeconds)));
  }

  private void show(long now, String text) {
    long interval = terminal ? TERMINAL_INTERVAL_NANOS : LINE_INTERVAL_NANOS;
    if (now - lastShown < interval) {
      return;
    }
    lastShown = now;
    if (terminal) {
      out.print(CLEAR_LINE + line(text));
    } else {
      out.println(line(text));
    }
    out.flush();
  }

  /** Writes a line of its own above the step's. */
  public void say(String message) {
    out.println((terminal ? CLEAR_LINE : "") + line(message));
    out.flush();
  }

  /** Ends the step with its result. */
  public void done(String result) {
    String text = line(result + " (" + seconds((nanoTime.getAsLong() - stepStart) / 1e9) + ")");
    out.println(terminal ? CLEAR_LINE + text : text);
    out.flush();
  }

  private String line(String text) {
    return "[" + number + "/" + steps + "] " + title + ": " + text;
  }

  /** A duration as text. */
  public static String seconds(double seconds) {
    long whole = Math.round(seconds);
    return whole < 60 ? whole + " s" : whole / 60 + " min " + whole % 60 + " s";
  }
}
