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
 * The files of a host, mainly those of /proc and /sys. Tests replace the root directory with a
 * captured tree. A file that does not exist or may not be read yields an empty result. Immutable.
 */
final class Host {

  private final Path root;

  Host(Path root) {
    this.root = root;
  }

  /** The host that this process runs on. */
  static Host here() {
    return new Host(Path.of("/"));
  }

  /** The location of an absolute path of the host. */
  Path path(String absolute) {
    return root.resolve(absolute.substring(1));
  }

  /** A file's text without leading and trailing white space. */
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

  /** The names in a directory, sorted; empty if the directory does not exist. */
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

  /** A path with its symbolic links resolved; the path itself if it does not exist. */
  String real(String absolute) {
    try {
      return "/" + root.toRealPath().relativize(path(absolute).toRealPath());
    } catch (IOException e) {
      return absolute;
    }
  }
}
