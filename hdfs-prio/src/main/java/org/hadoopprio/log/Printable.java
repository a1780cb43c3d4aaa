package org.hadoopprio.log;

/** Text that a client has sent, made fit for a log line or a message. Thread-safe. */
public final class Printable {

  /** Longer than any name in use, and short enough for a line. */
  private static final int MAX_CHARS = 128;

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
    String shown = text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "...";
    return shown.replaceAll("[^\\x20-\\x7e]", "?");
  }
}
