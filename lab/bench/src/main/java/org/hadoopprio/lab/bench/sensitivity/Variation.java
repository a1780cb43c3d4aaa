// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.sensitivity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A parameter of the drive model, or of what is above it, with the ends of its plausible range,
 * each as text.
 *
 * @param value the value of the preset
 * @param why where the range comes from
 */
record Variation(String key, String value, String low, String high, String why, boolean drive) {
  private static final Pattern BLANK = Pattern.compile(" ");
  private static final Pattern RANGE = Pattern.compile("([a-z0-9_]+)=(.+?)\\.\\.(.+)");
  private static final String RANGE_ALLOWED =
      "allowed is KEY=LOW..HIGH, a parameter of \"vhdd sim --keys\" and two of its values";

  /** One that is no parameter of the drive. */
  static Variation ofHost(String key, int value, int low, int high, String why) {
    return new Variation(
        key, Integer.toString(value), Integer.toString(low), Integer.toString(high), why, false);
  }

  /**
   * All parameters that have a range.
   *
   * @param keys what {@code vhdd sim --keys --json} prints
   * @throws IllegalArgumentException if a key has no value, or a range has no end or no reason
   */
  static List<Variation> of(JsonNode keys) {
    List<Variation> all = new ArrayList<>();
    for (JsonNode key : keys) {
      if (key.has("low") || key.has("high")) {
        all.add(
            new Variation(
                text(key, "key"),
                text(key, "value"),
                text(key, "low"),
                text(key, "high"),
                text(key, "why"),
                true));
      }
    }
    return all;
  }

  private static String text(JsonNode key, String field) {
    String text = key.path(field).asText();
    if (text.isEmpty()) {
      throw new IllegalArgumentException(
          "parameter " + key + " of vhdd: \"" + field + "\" is missing; allowed is a text");
    }
    return text;
  }

  /**
   * A range that a user states.
   *
   * @param keys what {@code vhdd sim --keys --json} prints
   * @throws IllegalArgumentException if the text is none, or there is no such parameter
   */
  static Variation parse(String text, JsonNode keys) {
    Matcher matcher = RANGE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("--range " + text + ": " + RANGE_ALLOWED);
    }
    for (JsonNode key : keys) {
      if (key.path("key").asText().equals(matcher.group(1))) {
        String value = text(key, "value");
        return new Variation(
            matcher.group(1), value, matcher.group(2), matcher.group(3), "--range", true);
      }
    }
    throw new IllegalArgumentException("--range " + text + ": no such key; " + RANGE_ALLOWED);
  }

  /**
   * The assignments of an end of the range, such as {@code seek_avg_ns=8ms}: its own, and those of
   * parameters that have to change with it.
   *
   * @param end {@link #low} or {@link #high}
   */
  List<String> assignments(String end) {
    return BLANK.splitAsStream(key + "=" + end).collect(Collectors.toList());
  }

  /** Whether it is one of the drive, and its values are as {@code vhdd} reads them. */
  boolean ofDrive() {
    return drive;
  }

  @Override
  public String toString() {
    return key + "=" + low + ".." + high;
  }
}
