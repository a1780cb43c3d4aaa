// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.doctor;

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
   * The entries of a class path.
   *
   * @param text directories, jars, and directories with {@code /*} for all jars in them, separated
   *     by colons
   * @throws IllegalArgumentException if it names no jar and no directory
   */
  static List<URL> parse(String text) {
    Set<Path> found = new LinkedHashSet<>();
    for (String entry : text.split(File.pathSeparator, -1)) {
      if (entry.endsWith("/*")) {
        found.addAll(jars(Path.of(entry.substring(0, entry.length() - 2))));
      } else if (!entry.isEmpty()) {
        addAll(found, Path.of(entry));
      }
    }
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "there is no such directory or jar; allowed: the directory of a distribution, or a class"
              + " path");
    }
    return found.stream().map(JarPath::url).collect(Collectors.toList());
  }

  private static void addAll(Set<Path> found, Path entry) {
    if (Files.isDirectory(entry)) {
      found.add(entry);
      PLACES.forEach(place -> found.addAll(jars(entry.resolve(place))));
    } else if (Files.isRegularFile(entry)) {
      found.add(entry);
    }
  }

  private static List<Path> jars(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .sorted()
          .collect(Collectors.toCollection(ArrayList::new));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + directory + ": " + e.getMessage(), e);
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
