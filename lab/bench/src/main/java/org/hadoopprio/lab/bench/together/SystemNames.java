// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.together;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The names of the systems that an experiment compares. */
final class SystemNames {

  private SystemNames() {}

  /** The value of the factor: {@code OWN_DEADLINES} is {@code own-deadlines}. */
  static String text(Enum<?> system) {
    return system.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The system of a name; the other way to read {@link #text}. */
  static <S extends Enum<S>> S of(Class<S> all, String name) {
    return EnumSet.allOf(all).stream()
        .filter(system -> text(system).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no system "
                        + name
                        + "; allowed: "
                        + EnumSet.allOf(all).stream()
                            .map(SystemNames::text)
                            .collect(Collectors.joining(", "))
                        + ", all"));
  }

  /**
   * The systems of some names; {@code all} is all of them.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  static <S extends Enum<S>> Set<S> named(Class<S> all, List<String> names) {
    EnumSet<S> systems = EnumSet.noneOf(all);
    for (String name : names) {
      systems.addAll(name.equals("all") ? EnumSet.allOf(all) : EnumSet.of(of(all, name)));
    }
    return systems;
  }
}
