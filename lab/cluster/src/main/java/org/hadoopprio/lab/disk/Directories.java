// SPDX-License-Identifier: Apache-2.0
package org.hadoopprio.lab.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directory trees. */
public final class Directories {

  private Directories() {}

  /** Deletes a directory and all below it, without following symbolic links. */
  public static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(directory)) {
      tree.sorted(Comparator.reverseOrder()).forEach(Directories::deleteOne);
    } catch (UncheckedIOException e) {
      throw e.getCause() instanceof NoSuchFileException
          ? new IOException(directory + " changes while it is being deleted", e)
          : e.getCause();
    }
  }

  private static void deleteOne(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
