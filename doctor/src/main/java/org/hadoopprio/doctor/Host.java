package org.hadoopprio.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of a host, above all those of /proc and /sys, below a root that tests replace by a
 * captured tree. A file that is missing or must not be read is an empty answer. Immutable.
 */
final class Host {

  private final Path root;

  Host(Path root) {
    this.root = root;
  }

  /** The host this process runs on. */
  static Host here() {
    return new Host(Path.of("/"));
  }

  /** Where an absolute path of the host is. */
  Path path(String absolute) {
    return root.resolve(absolute.substring(1));
  }

  /** A file's text without the white space around it. */
  Optional<String> read(String absolute) {
    return read(path(absolute));
  }

  static Optional<String> read(Path file) {
    try {
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The names in a directory, sorted; none where there is no such directory. */
  List<String> list(String absolute) {
    return list(path(absolute));
  }

  static List<String> list(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(p -> p.getFileName().toString()).sorted().collect(Collectors.toList());
    } catch (IOException e) {
      return List.of();
    }
  }

  /** A path without symbolic links; the path itself where it does not exist. */
  String real(String absolute) {
    try {
      return "/" + root.toRealPath().relativize(path(absolute).toRealPath());
    } catch (IOException e) {
      return absolute;
    }
  }
}
