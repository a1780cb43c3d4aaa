package org.hadoopprio.lab.bench.overhead;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of a DataNode's blocks and their checksums. */
final class BlockFiles {

  private BlockFiles() {}

  /** Reads all of them, so that they are in the page cache. */
  static void fillPageCache(Path disk) throws IOException {
    List<Path> blocks;
    try (Stream<Path> tree = Files.walk(disk)) {
      blocks =
          tree.filter(path -> path.getFileName().toString().startsWith("blk_"))
              .collect(Collectors.toList());
    }
    for (Path block : blocks) {
      try (InputStream in = Files.newInputStream(block)) {
        in.transferTo(OutputStream.nullOutputStream());
      }
    }
  }
}
