// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hours of the day, from one to before another, by the server's time zone. Immutable. */
final class RuleHours {

  /** All of them. */
  static final RuleHours ALL = new RuleHours(0, 24);

  private static final Pattern SYNTAX = Pattern.compile("(\\d{1,2})-(\\d{1,2})");

  private final int from;
  private final int to;

  private RuleHours(int from, int to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Reads {@code 8-18}, or {@code 22-6} for a night.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  static RuleHours parse(String text) {
    Matcher found = SYNTAX.matcher(text);
    if (found.matches()) {
      int from = Integer.parseInt(found.group(1));
      int to = Integer.parseInt(found.group(2));
      if (from < 24 && to <= 24 && from != to) {
        return new RuleHours(from, to);
      }
    }
    throw new IllegalArgumentException(
        "allowed: two different hours, such as 8-18 (until before 18:00) or 22-6");
  }

  boolean isAll() {
    return this == ALL;
  }

  boolean includes(int hour) {
    return from < to ? hour >= from && hour < to : hour >= from || hour < to;
  }

  @Override
  public String toString() {
    return from + "-" + to;
  }
}
