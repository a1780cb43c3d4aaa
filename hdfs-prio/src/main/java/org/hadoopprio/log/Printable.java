// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.log;

/** Text that a client has sent, made fit for a log line or a message. Thread-safe. */
public final class Printable {

  /** Longer than any name in use, and short enough for a line. */
  private static final int MAX_CHARS = 128;

  /** Longer than any message with some names and an exception in it. */
  private static final int MAX_LINE_CHARS = 4096;

  private Printable() {}

  /**
   * The text without what could end a line or confuse a terminal: each character outside of
   * printable ASCII becomes a question mark. What is beyond {@value #MAX_CHARS} characters is left
   * out.
   *
   * @param text null becomes "null"
   */
  public static String of(String text) {
    if (text == null) {
      return "null";
    }
    return cut(text, MAX_CHARS).replaceAll("[^\\x20-\\x7e]", "?");
  }

  /**
   * A message as one line: each control character, and what else may end a line, becomes a question
   * mark. What is beyond {@value #MAX_LINE_CHARS} characters is left out.
   */
  static String line(String message) {
    return cut(message, MAX_LINE_CHARS).replaceAll("[\\p{Cntrl}\\x80-\\x9f\\u2028\\u2029]", "?");
  }

  private static String cut(String text, int chars) {
    return text.length() <= chars ? text : text.substring(0, chars) + "...";
  }
}
