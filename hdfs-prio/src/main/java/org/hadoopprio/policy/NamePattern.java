// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.policy;

import java.util.regex.Pattern;

/** A name, a prefix of names ({@code svc-*}), or every name ({@code *}). Immutable. */
final class NamePattern {

  /** Matches every name and also a missing one. */
  static final NamePattern ANY = new NamePattern("*");

  private static final Pattern SYNTAX = Pattern.compile("[\\w.@:/$ -]*\\*?");

  /** HBase refuses tables of other names. */
  private static final Pattern TABLES = Pattern.compile("(\\w+:)?(\\w[\\w.-]*\\*?|\\*)");

  /** As HBase has it, but for *. */
  private static final Pattern FAMILIES =
      Pattern.compile("[^\\p{Cntrl}:/\\\\.*][^\\p{Cntrl}:/\\\\*]*\\*?|\\*");

  private static final Pattern BLANK_ENDS = Pattern.compile("\\s.*|.*\\s");

  private static final String DEFAULT_NAMESPACE = "default:";
  private static final char NAMESPACE_END = ':';

  private final String text;
  private final String start;
  private final boolean open;

  /** Whether it matches only names of tables in the default namespace, which do not name it. */
  private final boolean inDefault;

  private NamePattern(String text) {
    this(text, text, false);
  }

  private NamePattern(String written, String text, boolean inDefault) {
    this.text = written;
    this.inDefault = inDefault;
    this.open = text.endsWith("*");
    this.start = open ? text.substring(0, text.length() - 1) : text;
  }

  /**
   * Reads a pattern of users. A short name has neither a realm nor a host, so a principal would
   * never match; but with Hadoop's rules of type {@code mit} a name that no rule changes keeps
   * both.
   *
   * @param mayHaveRealm whether this process has rules of that type
   * @throws IllegalArgumentException saying what is allowed
   */
  static NamePattern ofUsers(String text, boolean mayHaveRealm) {
    NamePattern users = parse(text);
    if (BLANK_ENDS.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "allowed: a short name without blanks before or after it, the beginning of such names"
              + " followed by *, or *");
    }
    if (!mayHaveRealm && (text.indexOf('/') >= 0 || text.indexOf('@') >= 0)) {
      throw new IllegalArgumentException(
          "allowed: a short name, such as hbase for hbase/host@REALM, the beginning of such names"
              + " followed by *, or * (with a realm if hadoop.security.auth_to_local.mechanism is"
              + " mit)");
    }
    return users;
  }

  private static NamePattern parse(String text) {
    if (text.isEmpty() || !SYNTAX.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "allowed: a name, the beginning of names followed by *, or *");
    }
    return new NamePattern(text);
  }

  /**
   * Reads a pattern of tables, {@code namespace:name}; {@code default:name} is the same as {@code
   * name}.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  static NamePattern ofTables(String text) {
    parse(text);
    if (!TABLES.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "allowed: a table's name or namespace:name of letters, digits and any of _ . -, the"
              + " beginning of such names followed by *, or *");
    }
    if (!text.startsWith(DEFAULT_NAMESPACE)) {
      return parse(text);
    }
    NamePattern name = parse(text.substring(DEFAULT_NAMESPACE.length()));
    return name.open ? new NamePattern(text, name.text, true) : name;
  }

  /**
   * Reads a pattern of column families.
   *
   * @throws IllegalArgumentException saying what is allowed
   */
  static NamePattern ofFamilies(String text) {
    if (!FAMILIES.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "allowed: a column family's name without any of : / \\ * and without . at its begin, the"
              + " beginning of such names followed by *, or *");
    }
    return new NamePattern(text);
  }

  boolean isAny() {
    return open && start.isEmpty() && !inDefault;
  }

  /** The greater, the more specific; a whole name is more specific than any prefix. */
  int specificity() {
    return open ? start.length() + (inDefault ? DEFAULT_NAMESPACE.length() : 0) : Integer.MAX_VALUE;
  }

  /**
   * Whether the pattern matches a name.
   *
   * @param name null matches only {@code *}
   */
  boolean matches(String name) {
    if (name == null || (inDefault && name.indexOf(NAMESPACE_END) >= 0)) {
      return isAny();
    }
    return open ? name.startsWith(start) : name.equals(start);
  }

  @Override
  public String toString() {
    return text;
  }
}
