// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.config;

import java.util.Map;
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

  /** The key that chooses among the defaults; null if there is one for all. */
  private final ConfigKey<Profile> profileKey;

  private final Map<Profile, String> defaults;

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
    this(name, type, defaultText, tag, reloadable, description, parser, null, Map.of());
  }

  private ConfigKey(
      String name,
      String type,
      String defaultText,
      Tag tag,
      boolean reloadable,
      String description,
      Function<String, T> parser,
      ConfigKey<Profile> profileKey,
      Map<Profile, String> defaults) {
    this.name = name;
    this.type = type;
    this.defaultText = defaultText;
    this.tag = tag;
    this.reloadable = reloadable;
    this.description = description;
    this.parser = parser;
    this.profileKey = profileKey;
    this.defaults = defaults;
  }

  /**
   * The same key with other defaults in other profiles; its own is that of {@link
   * Profile#BALANCED}.
   *
   * @param key chooses the profile
   */
  public ConfigKey<T> in(ConfigKey<Profile> key, String latencyFirst, String throughputFirst) {
    return new ConfigKey<>(
        name,
        type,
        defaultText,
        tag,
        reloadable,
        description,
        parser,
        key,
        Map.of(
            Profile.LATENCY_FIRST,
            latencyFirst,
            Profile.BALANCED,
            defaultText,
            Profile.THROUGHPUT_FIRST,
            throughputFirst));
  }

  /**
   * The key's value in a configuration; the default of its profile if the key is not set or empty,
   * null if it has no default.
   *
   * @throws IllegalArgumentException naming the key, the value and what is allowed
   */
  public T get(Configuration conf) {
    return isSet(conf)
        ? parse(conf.getTrimmed(name))
        : parse(profileKey == null ? defaultText : defaultText(profileKey.get(conf)));
  }

  /** Whether a configuration has a value for this key, so that no default applies. */
  public boolean isSet(Configuration conf) {
    return !conf.getTrimmed(name, "").isEmpty();
  }

  /** Like {@link #get}, but logs a malformed value as an error and returns the default. */
  public T getOrDefault(Configuration conf, Logger log) {
    try {
      return get(conf);
    } catch (IllegalArgumentException e) {
      String text = defaultText(conf);
      log.error("{}; using the default \"{}\"", e.getMessage(), text);
      return parse(text);
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

  /** The default in profile balanced; null if the key has none. */
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

  /** The default in a profile. */
  public String defaultText(Profile profile) {
    return defaults.getOrDefault(profile, defaultText);
  }

  /** The default in a configuration's profile; a malformed profile counts as balanced. */
  public String defaultText(Configuration conf) {
    try {
      return profileKey == null ? defaultText : defaultText(profileKey.get(conf));
    } catch (IllegalArgumentException e) {
      return defaultText;
    }
  }

  /** Whether the default depends on the profile. */
  public boolean hasProfiles() {
    return profileKey != null;
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
