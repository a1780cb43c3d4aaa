package org.hadoopprio.policy;

import java.util.regex.Pattern;

/** A name, a prefix of names ({@code svc-*}), or every name ({@code *}). Immutable. */
final class NamePattern {

  /** Matches every name and also a missing one. */
  static final NamePattern ANY = new NamePattern("*");

  private static final Pattern SYNTAX = Pattern.compile("[\\w.@:/$ -]*\\*?");

  private final String text;
  private final String start;
  private final boolean open;

  private NamePattern(String text) {
    this.text = text;
    this.open = text.endsWith("*");
    this.start = open ? text.substring(0, text.length() - 1) : text;
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  static NamePattern parse(String text) {
    if (text.isEmpty() || !SYNTAX.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "allowed: a name, the beginning of names followed by *, or *");
    }
    return new NamePattern(text);
  }

  boolean isAny() {
    return open && start.isEmpty();
  }

  /** The greater, the more specific; a whole name is more specific than any prefix. */
  int specificity() {
    return open ? start.length() : Integer.MAX_VALUE;
  }

  /**
   * Whether the pattern matches a name.
   *
   * @param name null matches only {@code *}
   */
  boolean matches(String name) {
    return isAny() || (name != null && (open ? name.startsWith(start) : name.equals(start)));
  }

  @Override
  public String toString() {
    return text;
  }
}
