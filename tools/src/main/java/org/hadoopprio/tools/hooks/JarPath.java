// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.tools.hooks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/**
 * The jars of a Hadoop or HBase that is not installed as this node's: of its directory, or of a
 * class path as {@code hadoop classpath} prints it.
 */
final class JarPath {

  /**
   * Where the distributions have jars, below their directory. Hadoop's share/hadoop/client is not
   * among them: no daemon has these jars, which contain the same classes in another form.
   */
  private static final List<String> PLACES =
      List.of(
          "",
          "lib",
          "lib/client-facing-thirdparty",
          "share/hadoop/common",
          "share/hadoop/common/lib",
          "share/hadoop/hdfs",
          "share/hadoop/hdfs/lib");

  private JarPath() {}

  /**
   * The entries of a class path. Java passes over what is not there; who compares must not, or all
   * would seem to fit.
   *
   * @param text directories, jars, and directories with {@code /*} for all jars in them, separated
   *     by colons
   * @throws IllegalArgumentException if it names nothing, or an entry is not there, has no jars or
   *     cannot be read; the message names the entry
   */
  static List<URL> parse(String text) {
    Set<Path> found = new LinkedHashSet<>();
    for (String entry : text.split(File.pathSeparator, -1)) {
      if (entry.endsWith("/*")) {
        List<Path> jars = jars(Path.of(entry.substring(0, entry.length() - 2)));
        if (jars.isEmpty()) {
          throw new IllegalArgumentException("there is no jar at " + entry);
        }
        found.addAll(jars);
      } else if (!entry.isEmpty() && !isOfOldJava(entry)) {
        found.addAll(of(Path.of(entry)));
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "it is empty; allowed: the directory of a distribution, or a class path");
    }
    return found.stream().map(JarPath::url).collect(Collectors.toList());
  }

  /** What {@code hbase classpath} names for any Java; none has had it since Java 9. */
  private static boolean isOfOldJava(String entry) {
    return entry.endsWith("/lib/tools.jar");
  }

  private static List<Path> of(Path entry) {
    if (Files.isRegularFile(entry)) {
      return List.of(readable(entry));
    }
    if (!Files.isDirectory(entry)) {
      throw new IllegalArgumentException(
          "there is no directory or jar "
              + entry
              + "; allowed: the directory of a distribution, or a class path");
    }
    List<Path> found = new ArrayList<>(List.of(entry));
    PLACES.forEach(place -> found.addAll(jars(entry.resolve(place))));
    return found;
  }

  private static List<Path> jars(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .sorted()
          .map(JarPath::readable)
          .collect(Collectors.toList());
    } catch (IOException | UncheckedIOException e) {
      throw new IllegalArgumentException("cannot read " + directory + ": " + e, e);
    }
  }

  /** The jar, if Java can read it. */
  private static Path readable(Path jar) {
    try (ZipFile opened = new ZipFile(jar.toFile())) {
      return jar;
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read the jar " + jar + ": " + e, e);
    }
  }

  private static URL url(Path entry) {
    try {
      return entry.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
