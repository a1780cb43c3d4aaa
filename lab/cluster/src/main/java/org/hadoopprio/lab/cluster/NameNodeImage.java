// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopprio.lab.disk.Directories;

/**
 * The directory of a NameNode that was just formatted, kept for the next cluster with the same
 * class path: to format one takes a JVM of some seconds. All clusters have the same identifiers.
 */
final class NameNodeImage {

  private final Path kept;

  /**
   * The image for a class path.
   *
   * @param parent the directory that images are kept in
   */
  NameNodeImage(Path parent, List<Path> classPath) {
    byte[] names = classPath.toString().getBytes(StandardCharsets.UTF_8);
    this.kept = parent.resolve(UUID.nameUUIDFromBytes(names).toString());
  }

  /** Copies the image to where the NameNode looks for it; returns whether there is one. */
  boolean copyTo(Path image) throws IOException {
    if (!Files.isDirectory(kept)) {
      return false;
    }
    copy(kept, image);
    return true;
  }

  /** Keeps what a NameNode has formatted. */
  void keep(Path image) throws IOException {
    Path part = kept.resolveSibling(UUID.randomUUID() + ".part");
    Files.createDirectories(kept.getParent());
    copy(image, part);
    try {
      Files.move(part, kept, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Directories.delete(part);
      // Else another process was faster.
      if (!Files.isDirectory(kept)) {
        throw e;
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    List<Path> tree;
    try (Stream<Path> all = Files.walk(from)) {
      tree = all.collect(Collectors.toList());
    }
    for (Path path : tree) {
      Path copy = to.resolve(from.relativize(path).toString());
      Files.copy(path, copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
  }
}
