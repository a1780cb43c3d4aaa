// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A named set of defaults. A key that is set does not follow the profile. */
public enum Profile {
  /** Short waits of urgent reads, at the expense of the others. */
  LATENCY_FIRST,
  /** The defaults. */
  BALANCED,
  /** Long runs, and more for background work. */
  THROUGHPUT_FIRST;

  /** The names, as a message and the reference show them. */
  static final String ALLOWED =
      Arrays.stream(values()).map(Profile::toString).collect(Collectors.joining(", "));

  /** Makes the key that chooses the profile of a daemon. */
  public static ConfigKey<Profile> key(String name, ConfigKey.Tag tag) {
    return new ConfigKey<>(
        name,
        "profile",
        BALANCED.toString(),
        tag,
        true,
        "A named set of defaults, those in the table at the end of this section: "
            + ALLOWED
            + ". A key that is set in the configuration keeps its value, whatever the profile is.",
        Profile::parse);
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  static Profile parse(String text) {
    for (Profile profile : values()) {
      if (profile.toString().equals(text)) {
        return profile;
      }
    }
    throw new IllegalArgumentException("allowed: " + ALLOWED);
  }

  /** The name in configurations, such as {@code latency-first}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
