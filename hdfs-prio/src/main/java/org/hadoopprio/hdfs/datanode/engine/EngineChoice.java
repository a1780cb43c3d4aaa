package org.hadoopprio.hdfs.datanode.engine;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The configured engine of each volume. Immutable.
 *
 * <p>The text form is that of {@code dfs.datanode.io.priority.engine}: entries separated by commas,
 * each {@code DIRECTORY=ENGINE} for one volume, or {@code ENGINE} for all other volumes.
 */
public final class EngineChoice {

  private static final String SYNTAX =
      "allowed: auto, thread, direct or ncq for all volumes, and DIRECTORY=ENGINE for one,"
          + " separated by commas";

  private final Engine others;
  private final Map<Path, Engine> named;

  private EngineChoice(Engine others, Map<Path, Engine> named) {
    this.others = others;
    this.named = named;
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException naming the entry and what is allowed
   */
  public static EngineChoice parse(String text) {
    Engine others = null;
    Map<Path, Engine> named = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      String entry = part.strip();
      int equals = entry.lastIndexOf('=');
      if (equals >= 0) {
        Path directory = directory(entry.substring(0, equals).strip(), entry);
        if (named.put(directory, engine(entry.substring(equals + 1).strip(), entry)) != null) {
          throw wrong(entry, "the directory is named twice");
        }
      } else if (others == null) {
        others = engine(entry, entry);
      } else {
        throw wrong(entry, "an engine for all volumes is already given");
      }
    }
    return new EngineChoice(others == null ? Engine.THREAD : others, named);
  }

  private static Engine engine(String text, String entry) {
    try {
      return Engine.parse(text);
    } catch (IllegalArgumentException e) {
      throw wrong(entry, e.getMessage());
    }
  }

  private static Path directory(String text, String entry) {
    try {
      Path directory = Path.of(text);
      if (directory.isAbsolute()) {
        return directory.normalize();
      }
    } catch (InvalidPathException e) {
      throw wrong(entry, e.getMessage());
    }
    throw wrong(entry, "\"" + text + "\" is not an absolute path");
  }

  private static IllegalArgumentException wrong(String entry, String reason) {
    return new IllegalArgumentException("entry \"" + entry + "\": " + reason + "; " + SYNTAX);
  }

  /** Whether all volumes have engine {@code thread}. */
  boolean isThreadOnly() {
    return others == Engine.THREAD
        && named.values().stream().allMatch(engine -> engine == Engine.THREAD);
  }

  /** The configured engine of the volume in that directory. */
  Engine of(Path directory) {
    return named.getOrDefault(directory.normalize(), others);
  }

  /** The directories that entries name. */
  Set<Path> directories() {
    return named.keySet();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EngineChoice
        && others == ((EngineChoice) other).others
        && named.equals(((EngineChoice) other).named);
  }

  @Override
  public int hashCode() {
    return Objects.hash(others, named);
  }
}
