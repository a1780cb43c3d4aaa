// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.config;

import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;

/**
 * One configuration key: its name, type, default and description. The configuration reference in
 * docs/ is generated from these. Immutable.
 *
 * @param <T> the type of the parsed value
 */
public final class ConfigKey<T> {

  /** The process that reads a key. */
  public enum Tag {
    /** An HDFS client, such as a MapReduce task or a RegionServer. */
    HDFS_CLIENT,
    /** The DataNode. */
    DATANODE,
    /** The RegionServer. */
    REGIONSERVER
  }

  private final String name;
  private final String type;
  private final String defaultText;
  private final Tag tag;
  private final boolean reloadable;
  private final String description;
  private final Function<String, T> parser;

  /**
   * Declares a key.
   *
   * @param type the type as the reference shows it, such as {@code priority} or {@code integer}
   * @param defaultText the default in text form; empty for "not set"
   * @param reloadable whether a change takes effect without a restart; for a key of the DataNode
   *     this makes it reconfigurable
   * @param parser parses a non-empty text; throws IllegalArgumentException that says what is
   *     allowed
   */
  public ConfigKey(
      String name,
      String type,
      String defaultText,
      Tag tag,
      boolean reloadable,
      String description,
      Function<String, T> parser) {
    this.name = name;
    this.type = type;
    this.defaultText = defaultText;
    this.tag = tag;
    this.reloadable = reloadable;
    this.description = description;
    this.parser = parser;
  }

  /**
   * The key's value in a configuration; the default if the key is not set or empty, null if it has
   * no default.
   *
   * @throws IllegalArgumentException naming the key, the value and what is allowed
   */
  public T get(Configuration conf) {
    return parse(conf.getTrimmed(name));
  }

  /** Like {@link #get}, but logs a malformed value as an error and returns the default. */
  public T getOrDefault(Configuration conf, Logger log) {
    try {
      return get(conf);
    } catch (IllegalArgumentException e) {
      log.error("{}; using the default \"{}\"", e.getMessage(), defaultText);
      return defaultValue();
    }
  }

  /**
   * Parses a text; null and an empty text stand for the default.
   *
   * @throws IllegalArgumentException naming the key, the value and what is allowed
   */
  public T parse(String text) {
    String value = text == null ? "" : text.strip();
    if (value.isEmpty()) {
      return defaultValue();
    }
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + " = \"" + value + "\": " + e.getMessage(), e);
    }
  }

  /** The default; null if the key has none. */
  public T defaultValue() {
    return defaultText.isEmpty() ? null : parser.apply(defaultText);
  }

  public String name() {
    return name;
  }

  public String type() {
    return type;
  }

  public String defaultText() {
    return defaultText;
  }

  public Tag tag() {
    return tag;
  }

  /** Whether a change takes effect without a restart. */
  public boolean isReloadable() {
    return reloadable;
  }

  public String description() {
    return description;
  }

  /**
   * Parses an integer, for keys of that type.
   *
   * @throws IllegalArgumentException if the text is none of those allowed, which the message names
   */
  public static long integer(String text, long min, long max) {
    try {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, together with numbers out of range.
    }
    throw new IllegalArgumentException("allowed: " + min + " to " + max);
  }
}
