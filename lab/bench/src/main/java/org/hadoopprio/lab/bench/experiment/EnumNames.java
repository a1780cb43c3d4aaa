// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.bench.experiment;

import java.util.EnumSet;
import java.util.Locale;
import java.util.stream.Collectors;

/** The names of enum constants as factors and options have them. */
public final class EnumNames {

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
    return EnumSet.allOf(type).stream()
        .filter(constant -> text(constant).equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    EnumSet.allOf(type).stream()
                        .map(EnumNames::text)
                        .collect(
                            Collectors.joining(
                                ", ",
                                "no " + type.getSimpleName() + " \"" + name + "\"; allowed: ",
                                ""))));
  }
}
