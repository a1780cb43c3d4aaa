// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A setting that each volume of a DataNode may have a value of its own for. Immutable.
 *
 * <p>The text form is entries separated by commas, each {@code DIRECTORY=VALUE} for one volume, or
 * {@code VALUE} for all other volumes.
 *
 * @param <T> the type of a value
 */
public final class VolumeChoice<T> {

  private final T others;
  private final Map<Path, T> named;

  private VolumeChoice(T others, Map<Path, T> named) {
    this.others = others;
    this.named = named;
  }

  /**
   * Reads the text form.
   *
   * @param byDefault the value of volumes that no entry is for
   * @param allowed the allowed values, for messages
   * @param parser parses a value; throws IllegalArgumentException
   * @throws IllegalArgumentException naming the entry and what is allowed
   */
  public static <T> VolumeChoice<T> parse(
      String text, T byDefault, String allowed, Function<String, T> parser) {
    String syntax =
        "allowed: "
            + allowed
            + " for all volumes, and DIRECTORY=VALUE for one, separated by commas";
    T others = null;
    Map<Path, T> named = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      String entry = part.strip();
      try {
        int equals = entry.lastIndexOf('=');
        T value = parser.apply(entry.substring(equals + 1).strip());
        if (equals < 0 && others != null) {
          throw new IllegalArgumentException("a value for all volumes is already given");
        }
        if (equals < 0) {
          others = value;
        } else if (named.put(directory(entry.substring(0, equals).strip()), value) != null) {
          throw new IllegalArgumentException("the directory is named twice");
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "entry \"" + entry + "\": " + e.getMessage() + "; " + syntax, e);
      }
    }
    return new VolumeChoice<>(others == null ? byDefault : others, named);
  }

  private static Path directory(String text) {
    Path directory;
    try {
      directory = Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    if (!directory.isAbsolute()) {
      throw new IllegalArgumentException("\"" + text + "\" is not an absolute path");
    }
    return directory.normalize();
  }

  /** Whether all volumes have that value. */
  public boolean isOnly(T value) {
    return all(value::equals);
  }

  /** Whether that is true of the values of all volumes. */
  public boolean all(Predicate<T> test) {
    return test.test(others) && named.values().stream().allMatch(test);
  }

  /** The value of the volume in that directory; null stands for one that is not in any. */
  public T of(Path directory) {
    return directory == null ? others : named.getOrDefault(directory.normalize(), others);
  }

  /** The directories that entries name. */
  public Set<Path> directories() {
    return named.keySet();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VolumeChoice
        && others.equals(((VolumeChoice<?>) other).others)
        && named.equals(((VolumeChoice<?>) other).named);
  }

  @Override
  public int hashCode() {
    return Objects.hash(others, named);
  }

  /** The text form. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(others.toString());
    named.forEach((path, value) -> text.append(",").append(path).append('=').append(value));
    return text.toString();
  }
}
