// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The names of enum constants as factors and options have them. */
public final class EnumNames {

  private static final String ALL = "all";

  private EnumNames() {}

  /** The value of the factor: {@code OWN_DEADLINES} is {@code own-deadlines}. */
  public static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The constant of a name, in any case; the other way to read {@link #text}.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  public static <E extends Enum<E>> E of(Class<E> type, String name) {
    return find(type, name, type.getSimpleName(), texts(type));
  }

  /**
   * The systems of some names; {@code all} is all of them.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  public static <E extends Enum<E>> Set<E> named(Class<E> type, List<String> names) {
    List<String> allowed = texts(type);
    allowed.add(ALL);
    EnumSet<E> named = EnumSet.noneOf(type);
    for (String name : names) {
      named.addAll(
          name.equalsIgnoreCase(ALL)
              ? EnumSet.allOf(type)
              : EnumSet.of(find(type, name, "system", allowed)));
    }
    return named;
  }

  private static <E extends Enum<E>> E find(
      Class<E> type, String name, String what, List<String> allowed) {
    return EnumSet.allOf(type).stream()
        .filter(constant -> text(constant).equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no " + what + " \"" + name + "\"; allowed: " + String.join(", ", allowed)));
  }

  private static <E extends Enum<E>> List<String> texts(Class<E> type) {
    return EnumSet.allOf(type).stream()
        .map(EnumNames::text)
        .collect(Collectors.toCollection(ArrayList::new));
  }
}
