// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
   * @throws IllegalArgumentException naming what there is
   */
  public static <E extends Enum<E>> E of(Class<E> type, String name) {
    return find(type, name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no "
                        + type.getSimpleName()
                        + " \""
                        + name
                        + "\"; there are: "
                        + String.join(", ", texts(type))));
  }

  private static <E extends Enum<E>> Optional<E> find(Class<E> type, String name) {
    return EnumSet.allOf(type).stream()
        .filter(constant -> text(constant).equalsIgnoreCase(name))
        .findFirst();
  }

  private static <E extends Enum<E>> List<String> texts(Class<E> type) {
    return EnumSet.allOf(type).stream().map(EnumNames::text).collect(Collectors.toList());
  }

  /**
   * The systems of some names; {@code all} is all of them.
   *
   * @throws IllegalArgumentException naming what is allowed
   */
  public static <E extends Enum<E>> Set<E> named(Class<E> type, List<String> names) {
    EnumSet<E> named = EnumSet.noneOf(type);
    for (String name : names) {
      named.addAll(
          name.equalsIgnoreCase(ALL) ? EnumSet.allOf(type) : EnumSet.of(system(type, name)));
    }
    return named;
  }

  private static <E extends Enum<E>> E system(Class<E> type, String name) {
    return find(type, name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no system \""
                        + name
                        + "\"; allowed: "
                        + String.join(", ", texts(type))
                        + ", "
                        + ALL));
  }
}
