// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.hdfs.datanode.engine;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The duration limits by which a drive's descriptors for reads are told apart, as in {@code 1:20ms
 * 3:100ms}. A descriptor is named by its index, 1 to {@value #DESCRIPTORS}; one without a limit is
 * not used. Immutable.
 */
public final class DurationLimits {

  /** The number of descriptors that a drive has for reads (SPC-6, mode page 0Ah/07h). */
  static final int DESCRIPTORS = 7;

  static final String ALLOWED =
      "auto, off, or limits separated by spaces, each an index of 1 to 7, a colon and a time of"
          + " 1us to 60s, as in 1:20ms 2:100ms";

  /** What the drive says. */
  static final DurationLimits AUTO = new DurationLimits("auto", new long[DESCRIPTORS + 1]);

  /** None is used. */
  static final DurationLimits OFF = new DurationLimits("off", new long[DESCRIPTORS + 1]);

  private static final Pattern LIMIT = Pattern.compile("([1-7]):([1-9][0-9]{0,8})(us|ms|s)");
  private static final long GREATEST_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The text form. */
  private final String text;

  /** By index; 0 for a descriptor that is not used. */
  private final long[] nanos;

  private DurationLimits(String text, long[] nanos) {
    this.text = text;
    this.nanos = nanos;
  }

  /**
   * Limits by index.
   *
   * @param nanos for the indexes 0, which is not used, to 7, in nanoseconds; 0 for none
   */
  static DurationLimits of(long[] nanos) {
    long[] copy = nanos.clone();
    StringBuilder text = new StringBuilder();
    for (int index = 1; index <= DESCRIPTORS; index++) {
      if (copy[index] != 0) {
        text.append(text.length() == 0 ? "" : " ").append(index).append(':');
        text.append(time(copy[index]));
      }
    }
    return text.length() == 0 ? OFF : new DurationLimits(text.toString(), copy);
  }

  private static String time(long nanos) {
    if (nanos % 1_000_000 == 0) {
      return nanos / 1_000_000 + "ms";
    }
    return nanos % 1_000 == 0 ? nanos / 1_000 + "us" : nanos + "ns";
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException naming the part that is wrong
   */
  static DurationLimits parse(String text) {
    if (text.equals(AUTO.text)) {
      return AUTO;
    }
    if (text.equals(OFF.text)) {
      return OFF;
    }
    long[] nanos = new long[DESCRIPTORS + 1];
    for (String part : text.strip().split(" +", -1)) {
      Matcher limit = LIMIT.matcher(part);
      if (!limit.matches()) {
        throw new IllegalArgumentException("\"" + part + "\" is not a duration limit");
      }
      int index = Integer.parseInt(limit.group(1));
      if (nanos[index] != 0) {
        throw new IllegalArgumentException("descriptor " + index + " is named twice");
      }
      nanos[index] = unit(limit.group(3)).toNanos(Long.parseLong(limit.group(2)));
      if (nanos[index] > GREATEST_NANOS) {
        throw new IllegalArgumentException("\"" + part + "\" is more than 60s");
      }
    }
    return of(nanos);
  }

  private static TimeUnit unit(String text) {
    switch (text) {
      case "us":
        return TimeUnit.MICROSECONDS;
      case "ms":
        return TimeUnit.MILLISECONDS;
      default:
        return TimeUnit.SECONDS;
    }
  }

  /** Whether no descriptor has a limit. */
  boolean isEmpty() {
    return Arrays.stream(nanos).allMatch(n -> n == 0);
  }

  /** The limit of the descriptor with an index, 1 to 7, in nanoseconds; 0 if it is not used. */
  long nanos(int index) {
    return nanos[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DurationLimits && text.equals(((DurationLimits) other).text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The text form. */
  @Override
  public String toString() {
    return text;
  }
}
